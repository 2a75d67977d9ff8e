// Nothing but the headers that tests share, precompiled for all of them.
