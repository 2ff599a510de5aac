// SPDX-FileCopyrightText: Posiscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace posiscope::test {

// What a test is compiled for, by either compiler's way of telling.

constexpr bool isThreadSanitized() {
#if defined(__SANITIZE_THREAD__)
  return true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
  return true;
#endif
#endif
  return false;
}

constexpr bool isSanitized() {
#if defined(__SANITIZE_ADDRESS__)
  return true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  return true;
#endif
#endif
  return isThreadSanitized();
}

/// Qt starts another program by vfork, and there the ThreadSanitizer of clang 14 ends the process.
inline constexpr const char* no_programs = "ThreadSanitizer ends a process that starts another program";

}  // namespace posiscope::test
