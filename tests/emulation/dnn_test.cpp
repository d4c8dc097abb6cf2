// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gmock/gmock.h>

#include "api.hpp"
#include "emulation/abi/dnn_calls.hpp"

namespace {

// Numbers of cuDNN's own: descriptors, attributes, types of attributes.
enum {
  engine_config = 3,
  heuristics = 4,
  plan = 5,
  convolution = 10,
  operation_graph = 15,
  pack = 16,
  matmul = 19
};
enum { of_descriptors = 15, of_int64 = 3 };

/// One of the graph interface's, given back at the end.
class node {
 public:
  explicit node(int type) {
    EXPECT_EQ(cudnnBackendCreateDescriptor(type, &of_), CUDNN_STATUS_SUCCESS);
  }
  ~node() { EXPECT_EQ(cudnnBackendDestroyDescriptor(of_), CUDNN_STATUS_SUCCESS); }
  node(const node&) = delete;
  node& operator=(const node&) = delete;

  void set(int name, const node& other) {
    EXPECT_EQ(cudnnBackendSetAttribute(of_, name, of_descriptors, 1, &other.of_),
              CUDNN_STATUS_SUCCESS);
  }
  void finalize() { EXPECT_EQ(cudnnBackendFinalize(of_), CUDNN_STATUS_SUCCESS); }
  [[nodiscard]] cudnnBackendDescriptor_t get() const { return of_; }

 private:
  cudnnBackendDescriptor_t of_ = nullptr;
};

/// The plan of a graph with one operation, found as a program finds it, with the engine of that
/// number among those that are offered.
void make_plan(int operation_type, node& made, std::size_t engine = 0) {
  node operation(operation_type);
  operation.finalize();
  node graph(operation_graph);
  graph.set(801, operation);
  graph.finalize();
  node search(heuristics);
  search.set(201, graph);
  search.finalize();
  std::int64_t count = 0;
  EXPECT_EQ(cudnnBackendGetAttribute(search.get(), 202, of_descriptors, 0, &count, nullptr),
            CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(count, operation_type == convolution ? 2 : 1);
  node first(engine_config);
  node second(engine_config);
  cudnnBackendDescriptor_t results[] = {first.get(), second.get()};
  EXPECT_EQ(cudnnBackendGetAttribute(search.get(), 202, of_descriptors, 1, &count, results),
            CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(cudnnBackendGetAttribute(search.get(), 202, of_descriptors, 2, &count, results),
            CUDNN_STATUS_SUCCESS);
  made.set(401, engine == 0 ? first : second);
  made.finalize();
}

std::int64_t workspace_of(const node& of) {
  std::int64_t size = -1;
  std::int64_t count = 0;
  EXPECT_EQ(cudnnBackendGetAttribute(of.get(), 402, of_int64, 1, &count, &size),
            CUDNN_STATUS_SUCCESS);
  return size;
}

TEST(EmulatedDnn, AConvolutionsWorkspaceIsTheAssumedOne) {
  set_card("DNN_WORKSPACE", "5 MiB");
  node convolves(plan);
  make_plan(convolution, convolves);
  EXPECT_EQ(workspace_of(convolves), 5 << 20);
  node multiplies(plan);
  make_plan(matmul, multiplies);
  EXPECT_EQ(workspace_of(multiplies), 0);
}

TEST(EmulatedDnn, AConvolutionFindsAnEngineOnAFullCard) {
  set_card("DNN_WORKSPACE", "5 MiB");
  node convolves(plan);
  make_plan(convolution, convolves, 1);
  EXPECT_EQ(workspace_of(convolves), 0);
}

TEST(EmulatedDnn, WorkHasItsPlaceInAGraph) {
  cudnnHandle_t handle = nullptr;
  ASSERT_EQ(cudnnCreate(&handle), CUDNN_STATUS_SUCCESS);
  cudaStream_t on = nullptr;
  ASSERT_EQ(cudaStreamCreate(&on), cudaSuccess);
  ASSERT_EQ(cudnnSetStream(handle, on), CUDNN_STATUS_SUCCESS);
  cudaStream_t now = nullptr;
  ASSERT_EQ(cudnnGetStream(handle, &now), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(now, on);
  node convolves(plan);
  make_plan(convolution, convolves);
  node with(pack);
  with.finalize();
  ASSERT_EQ(cudaStreamBeginCapture(on, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudnnBackendExecute(handle, convolves.get(), with.get()), CUDNN_STATUS_SUCCESS);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(on, &graph), cudaSuccess);
  std::size_t nodes = 0;
  ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, 1u);
  EXPECT_EQ(cudnnDestroy(handle), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(cudnnBackendExecute(handle, convolves.get(), with.get()), CUDNN_STATUS_BAD_PARAM);
}

TEST(EmulatedDnn, WhatWasSetIsReadAgain) {
  node tensor(17);
  const std::int64_t sizes[] = {2, 3, 4, 5};
  std::int64_t count = 0;
  std::int64_t read[4] = {};
  ASSERT_EQ(cudnnBackendSetAttribute(tensor.get(), 902, of_int64, 4, sizes), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(cudnnBackendGetAttribute(tensor.get(), 902, of_int64, 4, &count, read),
            CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED);
  tensor.finalize();
  ASSERT_EQ(cudnnBackendGetAttribute(tensor.get(), 902, of_int64, 2, &count, read),
            CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(count, 4);
  EXPECT_THAT(read, testing::ElementsAre(2, 3, 0, 0));
  EXPECT_EQ(cudnnBackendGetAttribute(tensor.get(), 902, of_descriptors, 4, &count, read),
            CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(cudnnBackendGetAttribute(tensor.get(), 903, of_int64, 4, &count, read),
            CUDNN_STATUS_NOT_SUPPORTED);
}

TEST(EmulatedDnn, APlanNeedsAnEngine) {
  node empty(plan);
  EXPECT_EQ(cudnnBackendFinalize(empty.get()), CUDNN_STATUS_BAD_PARAM);
  cudnnBackendDescriptor_t none = &empty;
  EXPECT_EQ(cudnnBackendSetAttribute(empty.get(), 401, of_descriptors, 1, &none),
            CUDNN_STATUS_BAD_PARAM);
  EXPECT_EQ(cudnnBackendCreateDescriptor(-1, &none), CUDNN_STATUS_NOT_SUPPORTED);
}

TEST(EmulatedDnn, NormalizationNeedsAHandleAndNoWorkspace) {
  std::size_t size = 1;
  EXPECT_EQ(
      cudnnGetBatchNormalizationTrainingExReserveSpaceSize(nullptr, 1, 0, nullptr, nullptr, &size),
      CUDNN_STATUS_BAD_PARAM);
  cudnnHandle_t handle = nullptr;
  ASSERT_EQ(cudnnCreate(&handle), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(
      cudnnGetBatchNormalizationTrainingExReserveSpaceSize(handle, 1, 0, nullptr, nullptr, &size),
      CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(cudnnBatchNormalizationForwardTrainingEx(handle), CUDNN_STATUS_SUCCESS);
  cudnnDescriptor_t tensor = nullptr;
  ASSERT_EQ(cudnnCreateTensorDescriptor(&tensor), CUDNN_STATUS_SUCCESS);
  const int sizes[] = {1, 2, 3, 4};
  const int strides[] = {24, 12, 4, 1};
  ASSERT_EQ(cudnnSetTensorNdDescriptor(tensor, 0, 4, sizes, strides), CUDNN_STATUS_SUCCESS);
  int type = -1, dimensions = 0, read[4] = {}, steps[4] = {};
  ASSERT_EQ(cudnnGetTensorNdDescriptor(tensor, 4, &type, &dimensions, read, steps),
            CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(dimensions, 4);
  EXPECT_THAT(read, testing::ElementsAreArray(sizes));
  EXPECT_THAT(steps, testing::ElementsAreArray(strides));
  EXPECT_EQ(cudnnDestroyTensorDescriptor(tensor), CUDNN_STATUS_SUCCESS);
  EXPECT_EQ(cudnnDestroyTensorDescriptor(tensor), CUDNN_STATUS_BAD_PARAM);
}

}  // namespace
