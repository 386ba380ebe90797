// The command line program. All of it is in the other files, where tests can reach it.
#include "program.hpp"

int main(int argc, char** argv) { return repetend::native::run_program({argv + (argc > 0 ? 1 : 0), argv + argc}); }
