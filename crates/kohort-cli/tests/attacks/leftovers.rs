//! What is left on disk when a run is killed, interrupted or out of space.
