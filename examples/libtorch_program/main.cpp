// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

// Two training steps of a network of four wide layers, by PyTorch's C++ interface. It knows nothing
// of headroom.
#include <torch/torch.h>

#include <cstdio>

int main() {
  constexpr int width = 4096;
  const auto on_card = torch::TensorOptions().device(torch::kCUDA);
  torch::nn::Sequential network;
  for (int layer = 0; layer < 4; ++layer) {
    network->push_back(torch::nn::Linear(width, width));
    network->push_back(torch::nn::ReLU());
  }
  network->to(torch::kCUDA);
  torch::optim::SGD optimizer(network->parameters(), torch::optim::SGDOptions(0.01).momentum(0.9));
  for (int step = 0; step < 2; ++step) {
    const torch::Tensor loss = network->forward(torch::ones({512, width}, on_card)).mean();
    loss.backward();
    optimizer.step();
    optimizer.zero_grad();
  }
  std::puts("done");
  return 0;
}
