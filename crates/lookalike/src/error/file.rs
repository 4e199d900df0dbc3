//! Files and folders that somebody named, and that do not do.

use std::io;
use std::path::{Path, PathBuf};

/// A file or folder that somebody named, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {fault}", path.display())]
pub struct FileError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: FileFault,
}

/// What is wrong with a file or folder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileFault {
    /// It is not there.
    #[error("no such file")]
    NoSuchFile,
    /// It, or the folder that it is to lie in, is not there.
    #[error("no such folder")]
    NoSuchFolder,
    /// It is a folder where a file is needed.
    #[error("is a folder")]
    IsFolder,
    /// It is a file where a folder is needed.
    #[error("is not a folder")]
    IsNotFolder,
    /// It may not be read.
    #[error("may not be read")]
    Unreadable,
    /// It may not be written.
    #[error("may not be written")]
    Unwritable,
    /// It is not text.
    #[error("is not UTF-8 text")]
    IsNotText,
    /// A part of the path is a file.
    #[error("a part of it is a file")]
    PartIsFile,
    /// No file can be called that.
    #[error("is no possible name")]
    ImpossibleName,
    /// A folder cannot be made under that name.
    #[error("is no name for a new folder")]
    NoFolderName,
    /// Something that is not a folder stands where one is to be made.
    #[error("is there already and is not a folder")]
    InTheWay,
    /// A folder with something in it stands where one is to be made.
    #[error("is there already and not empty")]
    NotEmpty,
    /// Something private would lie in the folder of a release.
    #[error("lies in the folder of the release")]
    InRelease,
    /// Coded rows that were kept for another run.
    #[error("has coded rows of {other}")]
    OtherCoded {
        /// What is not the same.
        other: &'static str,
    },
    /// A folder that is to be made lies among the files that are read.
    #[error("lies among the files that are read")]
    AmongRows,
    /// A file stands where one is to be made.
    #[error("is there already")]
    Exists,
    /// A folder that lacks a file of a release.
    #[error("has no {file}")]
    LacksFile {
        /// The file.
        file: &'static str,
    },
    /// A folder without synthetic rows.
    #[error("has no synthetic rows")]
    LacksRows,
    /// A release that has rows and no model.
    #[error("the method {method} has no model; its release is rows alone")]
    RowsAlone {
        /// The method that made it.
        method: String,
    },
    /// A table that the schema does not fit.
    #[error("{what}")]
    OtherTable {
        /// What does not fit.
        what: String,
        /// What to do.
        help: &'static str,
    },
}

impl FileFault {
    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            Self::NoSuchFile => "check the name",
            Self::NoSuchFolder => "make it first, or name another",
            Self::IsFolder => "name a file",
            Self::IsNotFolder => "name the folder of a release",
            Self::Unreadable => "change its permissions",
            Self::Unwritable => "name a folder that you may write to",
            Self::IsNotText => "save it as UTF-8",
            Self::PartIsFile => "name a folder",
            Self::ImpossibleName | Self::InTheWay => "name another",
            Self::NoFolderName => "name a folder",
            Self::NotEmpty => "name another, or have it moved aside",
            Self::InRelease => "name a file outside, since that folder may be published",
            Self::OtherCoded { .. } => "name another file, or remove this one, so that rows are read and kept anew",
            Self::AmongRows => "name another, so that no synthetic row is ever taken for a real one",
            Self::Exists => "name another, or have it overwritten",
            Self::LacksFile { .. } => "name the folder of a release; without this file it is none",
            Self::LacksRows => "name a table, or the folder of a run",
            Self::RowsAlone { .. } => "use those rows; more of them cost privacy again, in a new run",
            Self::OtherTable { help, .. } => help,
        }
    }
}

impl FileError {
    /// A file or folder with this fault.
    pub fn new(path: &Path, fault: FileFault) -> Self {
        Self { path: path.to_owned(), fault }
    }

    /// What the system says against reading a file, where whoever named it can put it right: mostly
    /// it is a wrong name.
    pub(super) fn reading(kind: io::ErrorKind) -> Option<FileFault> {
        Some(match kind {
            io::ErrorKind::NotFound => FileFault::NoSuchFile,
            io::ErrorKind::IsADirectory => FileFault::IsFolder,
            io::ErrorKind::PermissionDenied => FileFault::Unreadable,
            io::ErrorKind::InvalidData => FileFault::IsNotText,
            _ => return None,
        })
    }

    /// The same for writing. A full disk is nobody's mistake; a wrong place is.
    pub(super) fn writing(kind: io::ErrorKind) -> Option<FileFault> {
        Some(match kind {
            io::ErrorKind::NotFound => FileFault::NoSuchFolder,
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => FileFault::Unwritable,
            io::ErrorKind::NotADirectory => FileFault::PartIsFile,
            io::ErrorKind::IsADirectory => FileFault::IsFolder,
            io::ErrorKind::InvalidFilename => FileFault::ImpossibleName,
            _ => return None,
        })
    }
}
