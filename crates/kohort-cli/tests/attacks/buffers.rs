//! Values that nobody sees but the bytes of a release carry.
