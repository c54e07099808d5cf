//! Inputs that crashed the program, or made it lose a file.
