//! Labels and interval ends that tell a value of somebody who is not in the release.
