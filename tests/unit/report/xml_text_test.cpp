// SPDX-FileCopyrightText: 2026 the headroom authors
// SPDX-License-Identifier: MIT

#include <gtest/gtest.h>

#include <headroom/report/xml_text.hpp>

namespace headroom {
namespace {

TEST(XmlText, WritesMarkupQuotesAndLineEndsAsEntitiesAndNothingElse) {
  EXPECT_EQ(xml_text(R"(a < b && "c" > 'd')"
                     "\n&amp;"),
            "a &lt; b &amp;&amp; &quot;c&quot; &gt; 'd'&#10;&amp;amp;");
  EXPECT_EQ(xml_text("größe \\u0001"), "größe \\u0001");
  EXPECT_EQ(xml_text(""), "");
}

}  // namespace
}  // namespace headroom
