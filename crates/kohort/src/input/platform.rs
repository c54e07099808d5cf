//! What operating systems do differently with files: everything that only Unix has, with what is done elsewhere.
#![allow(clippy::unnecessary_wraps, reason = "other systems have no answer where Unix always has one")]

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;

/// Reads from a place in a file, without regard to where others read it.
#[cfg(unix)]
pub(crate) fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

/// Reads from a place in a file; nobody else may read the same open file meanwhile.
#[cfg(not(unix))]
pub(crate) fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = file.try_clone()?;
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}

/// Whether it is a named pipe, which can be read only once.
#[cfg(unix)]
pub(crate) fn is_pipe(metadata: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type())
}

/// Elsewhere pipes are not files.
#[cfg(not(unix))]
pub(crate) fn is_pipe(_: &Metadata) -> bool {
    false
}

/// The place of a file on its disk: the same under all its names.
#[cfg(unix)]
pub(crate) fn place(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((metadata.dev(), metadata.ino()))
}

/// Elsewhere only its name tells a file from others.
#[cfg(not(unix))]
pub(crate) fn place(_: &Metadata) -> Option<(u64, u64)> {
    None
}

/// How many names a file has.
#[cfg(unix)]
pub(crate) fn names(metadata: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(metadata)
}

/// Elsewhere it is taken to have one.
#[cfg(not(unix))]
pub(crate) fn names(_: &Metadata) -> u64 {
    1
}

/// Who may do what with a file; none where there are no such modes.
#[cfg(unix)]
pub(crate) fn mode(metadata: &Metadata) -> Option<u32> {
    Some(std::os::unix::fs::MetadataExt::mode(metadata) & 0o7777)
}

#[cfg(not(unix))]
pub(crate) fn mode(_: &Metadata) -> Option<u32> {
    None
}

/// Says who may do what with a file. Some file systems have no modes, and files of others keep theirs.
#[cfg(unix)]
pub(crate) fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    let _ = std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode));
}

#[cfg(not(unix))]
pub(crate) fn set_mode(_: &Path, _: u32) {}

/// The same of an open file.
#[cfg(unix)]
pub(crate) fn set_mode_of(file: &File, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    let _ = file.set_permissions(std::fs::Permissions::from_mode(mode));
}

#[cfg(not(unix))]
pub(crate) fn set_mode_of(_: &File, _: u32) {}

/// Makes files that are opened this way, and are new, for their owner alone.
#[cfg(unix)]
pub(crate) fn private(options: &mut std::fs::OpenOptions) -> &mut std::fs::OpenOptions {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600)
}

#[cfg(not(unix))]
pub(crate) fn private(options: &mut std::fs::OpenOptions) -> &mut std::fs::OpenOptions {
    options
}

/// Waits until the disk knows the names in a folder.
#[cfg(unix)]
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Elsewhere folders cannot be opened.
#[cfg(not(unix))]
pub(crate) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Makes temporary files that are made from now on have this mode.
#[cfg(unix)]
pub(crate) fn with_mode(builder: &mut tempfile::Builder<'_, '_>, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(std::fs::Permissions::from_mode(mode));
}

/// Elsewhere they are for their owner alone anyway.
#[cfg(not(unix))]
pub(crate) fn with_mode(_: &mut tempfile::Builder<'_, '_>, _: u32) {}

/// What standard input was redirected from: the place of a file.
#[cfg(unix)]
pub(crate) fn standard_input() -> Option<(u64, u64)> {
    redirected(&io::stdin())
}

/// What standard output was redirected to: the place of a file.
#[cfg(unix)]
pub(crate) fn standard_output() -> Option<(u64, u64)> {
    redirected(&io::stdout())
}

#[cfg(unix)]
fn redirected(stream: &impl std::os::fd::AsFd) -> Option<(u64, u64)> {
    let file = File::from(stream.as_fd().try_clone_to_owned().ok()?);
    file.metadata().ok().filter(Metadata::is_file).and_then(|m| place(&m))
}

#[cfg(not(unix))]
pub(crate) fn standard_input() -> Option<(u64, u64)> {
    None
}

#[cfg(not(unix))]
pub(crate) fn standard_output() -> Option<(u64, u64)> {
    None
}
