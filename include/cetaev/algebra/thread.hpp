// Threads of one's own that work with models.
#pragma once

namespace cetaev {

// Gives back what the libraries beneath keep for the calling thread. To be called at the end of a thread that ends before
// the program does; what it made and handed on stays.
void release_thread_memory();

}  // namespace cetaev
