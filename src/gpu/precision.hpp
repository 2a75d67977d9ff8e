// Kernels in doubles and in floats: the same text, whose type is `real`.
#pragma once

#include <string>

namespace cetaev::gpu {

// `real`, and the bounds that depend on how many digits it has, as definitions for the text of a kernel.
std::string precision_text(bool single);

// Numbers in the text as those of floats: 0.5 is 0.5f. Else the compiler would compute in doubles what they take part in.
std::string with_single_literals(const std::string& text);

}  // namespace cetaev::gpu
