//! Opening a certificate: its checksum first, then section after section.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Take};
use std::path::Path;

use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use zstd::stream::read::Decoder;

use super::claims::{ProofClaim, Subject, ViolationClaim};
use super::numbers::{invalid, read_below};
use super::{CHECKSUM, MAGIC, tag};

/// Texts in a certificate are never longer.
const LONGEST_TEXT: usize = 1 << 30;

/// Why a certificate is not believed.
#[derive(Debug)]
pub enum Rejection {
    Unreadable(io::Error),
    NotACertificate,
    /// The file is not as it was written.
    WrongChecksum,
    /// It was made for this text of a model, by its checksum.
    OtherModel(String),
    /// The model can't be read as the certificate says that it was.
    WrongModel(String),
    /// What is in it makes no sense.
    Malformed(String),
    UnknownProperty(String),
    /// Sets of states say nothing about such a property.
    NotProvable(String),
    /// An initial state is not among the states.
    InitialOutside(String),
    /// This step leads from one of the states to one that is not among them.
    SuccessorOutside(String),
    /// A state, or a step, violates what was claimed to hold.
    Violates {
        property: String,
        what: String,
    },
    /// This step has more outcomes than anybody looks at.
    Unseen(String),
    /// Runs are cut at the capacity of an inbox, which was not said.
    HiddenBound,
    /// A run that is none, or that violates nothing.
    NoViolation {
        property: String,
        why: String,
    },
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rejection::Unreadable(error) => write!(f, "it can't be read: {error}"),
            Rejection::NotACertificate => f.write_str("it is no certificate of this version"),
            Rejection::WrongChecksum => {
                f.write_str("it is not as it was written: its checksum is wrong")
            }
            Rejection::OtherModel(sum) => {
                write!(f, "it was made for another text, whose SHA-256 is {sum}")
            }
            Rejection::WrongModel(why) => write!(f, "the model can't be read: {why}"),
            Rejection::Malformed(what) => write!(f, "it makes no sense: {what}"),
            Rejection::UnknownProperty(name) => write!(f, "the model has no property `{name}`"),
            Rejection::NotProvable(name) => {
                write!(f, "a set of states can't prove `{name}`")
            }
            Rejection::InitialOutside(what) => {
                write!(f, "an initial state is not among its states: {what}")
            }
            Rejection::SuccessorOutside(what) => {
                write!(f, "a step leads to a state that is not among them: {what}")
            }
            Rejection::Violates { property, what } => {
                write!(f, "`{property}` does not hold: {what}")
            }
            Rejection::Unseen(what) => {
                write!(f, "a step has too many outcomes to be looked at: {what}")
            }
            Rejection::HiddenBound => {
                f.write_str("runs are cut at the capacity of an inbox, which it does not say")
            }
            Rejection::NoViolation { property, why } => {
                write!(f, "its run does not violate `{property}`: {why}")
            }
        }
    }
}

impl std::error::Error for Rejection {}

impl From<io::Error> for Rejection {
    fn from(error: io::Error) -> Rejection {
        match error.kind() {
            io::ErrorKind::InvalidData => Rejection::Malformed(error.to_string()),
            io::ErrorKind::UnexpectedEof => Rejection::Malformed("it ends too soon".to_owned()),
            _ => Rejection::Unreadable(error),
        }
    }
}

/// What is left of a certificate to be read.
pub type Source = BufReader<Decoder<'static, BufReader<Take<File>>>>;

pub struct Reader {
    pub subject: Subject,
    pub from: Source,
}

pub enum Section {
    /// The contents and the states follow.
    Proof(ProofClaim),
    Violation(ViolationClaim),
    End,
}

impl Reader {
    /// Looks at the whole file once: a wrong byte anywhere is found before anything is believed.
    pub fn open(path: &Path) -> Result<Reader, Rejection> {
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        let Some(summed) = size.checked_sub(CHECKSUM as u64) else {
            return Err(Rejection::NotACertificate);
        };
        if summed < MAGIC.len() as u64 {
            return Err(Rejection::NotACertificate);
        }
        check_sum(&mut file, summed)?;
        file.seek(SeekFrom::Start(MAGIC.len() as u64))?;
        let compressed = BufReader::new(file.take(summed - MAGIC.len() as u64));
        let mut from = BufReader::new(Decoder::with_buffer(compressed)?);
        let subject = read_json(&mut from)?;
        Ok(Reader { subject, from })
    }

    pub fn section(&mut self) -> Result<Section, Rejection> {
        let mut kind = [0];
        self.from.read_exact(&mut kind)?;
        match kind[0] {
            tag::PROOF => read_json(&mut self.from).map(Section::Proof),
            tag::VIOLATION => read_json(&mut self.from).map(Section::Violation),
            tag::END if self.from.fill_buf()?.is_empty() => Ok(Section::End),
            tag::END => Err(Rejection::Malformed("it goes on after its end".to_owned())),
            other => Err(Rejection::Malformed(format!("there is no section {other}"))),
        }
    }
}

fn check_sum(file: &mut File, summed: u64) -> Result<(), Rejection> {
    let mut magic = [0; MAGIC.len()];
    file.read_exact(&mut magic)?;
    if magic != *MAGIC {
        return Err(Rejection::NotACertificate);
    }
    file.rewind()?;
    let mut sum = Sha256::new();
    let mut rest = BufReader::with_capacity(1 << 16, &mut *file).take(summed);
    loop {
        let bytes = rest.fill_buf()?;
        if bytes.is_empty() {
            break;
        }
        sum.update(bytes);
        let length = bytes.len();
        rest.consume(length);
    }
    let mut expected = [0; CHECKSUM];
    file.seek(SeekFrom::Start(summed))?;
    file.read_exact(&mut expected)?;
    match sum.finalize()[..] == expected {
        true => Ok(()),
        false => Err(Rejection::WrongChecksum),
    }
}

fn read_json<T: DeserializeOwned>(from: &mut impl Read) -> Result<T, Rejection> {
    let length = read_below(from, LONGEST_TEXT)?;
    let mut text = Vec::new();
    from.take(length as u64).read_to_end(&mut text)?;
    let value = serde_json::from_slice(&text).map_err(|error| invalid(error.to_string()));
    Ok(value?)
}
