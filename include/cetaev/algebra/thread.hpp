// Threads of one's own that work with models.
#pragma once

namespace cetaev {

// Gives back what the libraries beneath keep for the calling thread. To be called at the end of a thread that ends before
// the program does; what it made and handed on stays.
void release_thread_memory();

// The same when the calling thread ends, unless it is the first one of the program.
void release_thread_memory_at_exit();

}  // namespace cetaev
