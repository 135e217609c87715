//! Making a certificate: section after section, straight into the file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use sha2::{Digest, Sha256};
use zstd::stream::write::Encoder;

use super::claims::{ProofClaim, Subject, ViolationClaim};
use super::language::Content;
use super::layout::Layout;
use super::numbers::{Wide, difference, invalid, write_number, write_wide};
use super::{MAGIC, for_words, tag};

/// zstd's levels go to 22; beyond this one files of states hardly get smaller.
const LEVEL: i32 = 9;

/// A certificate in the making. It takes its name when it is finished; one that is not, leaves nothing.
pub struct Writer {
    path: PathBuf,
    partial: PathBuf,
    out: Option<Encoder<'static, Summing>>,
}

/// All states that a proof is about.
pub struct States<'a, C> {
    /// By part: all that it holds in some state.
    pub contents: Vec<Vec<C>>,
    pub count: u64,
    /// Shows each state once, as the numbers of what its parts hold.
    pub each: &'a dyn Fn(&mut See<'_>),
}

/// Sees a state.
pub type See<'s> = dyn FnMut(&[u32]) + 's;

impl Writer {
    pub fn create(path: &Path, subject: &Subject) -> io::Result<Writer> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        let partial = path.with_file_name(name);
        let mut file = Summing::new(File::create(&partial)?);
        file.write_all(MAGIC)?;
        let mut writer = Writer {
            path: path.to_owned(),
            partial,
            out: Some(Encoder::new(file, LEVEL)?),
        };
        write_json(writer.out(), subject)?;
        Ok(writer)
    }

    fn out(&mut self) -> &mut Encoder<'static, Summing> {
        self.out.as_mut().expect("taken by `finish` alone")
    }

    pub fn violation(&mut self, claim: &ViolationClaim) -> io::Result<()> {
        self.out().write_all(&[tag::VIOLATION])?;
        write_json(self.out(), claim)
    }

    pub fn proof<C: Content>(
        &mut self,
        claim: &ProofClaim,
        states: &States<'_, C>,
    ) -> io::Result<()> {
        let out = self.out();
        out.write_all(&[tag::PROOF])?;
        write_json(out, claim)?;
        let mut ranks = Vec::new();
        for contents in &states.contents {
            ranks.push(write_contents(out, contents)?);
        }
        let layout = Layout::new(ranks.iter().map(Vec::len));
        let written = for_words!(
            layout.words(),
            write_states(out, &layout, &ranks, states.count, states.each)
        );
        written.unwrap_or_else(|| Err(invalid("its states are too large".to_owned())))
    }

    /// Ends the file, and gives its size.
    pub fn finish(mut self) -> io::Result<u64> {
        self.out().write_all(&[tag::END])?;
        let file = self.out.take().expect("taken by `finish` alone").finish()?;
        let size = file.finish()?;
        std::fs::rename(&self.partial, &self.path)?;
        Ok(size)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.partial); // gone already if it was finished
    }
}

fn write_json(out: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    let text = serde_json::to_string(value)?;
    write_number(out, text.len() as u64)?;
    out.write_all(text.as_bytes())
}

/// Writes what a part holds in the order of the bytes, so that the file does not depend on who found
/// what first; gives the place of each.
fn write_contents(out: &mut impl Write, contents: &[impl Content]) -> io::Result<Vec<u32>> {
    let mut written = Vec::new();
    for (number, content) in contents.iter().enumerate() {
        let mut bytes = Vec::new();
        content.write(&mut bytes)?;
        written.push((bytes, number));
    }
    written.sort_unstable();
    write_number(out, written.len() as u64)?;
    let mut ranks = vec![0; written.len()];
    for (rank, (bytes, number)) in written.iter().enumerate() {
        ranks[*number] = rank as u32;
        out.write_all(bytes)?;
    }
    Ok(ranks)
}

/// Writes the states in order, each as its distance from the one before, the first from -1.
fn write_states<const W: usize>(
    out: &mut impl Write,
    layout: &Layout,
    ranks: &[Vec<u32>],
    count: u64,
    each: &dyn Fn(&mut See<'_>),
) -> io::Result<()> {
    let mut packed: Vec<Wide<W>> = Vec::new();
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    packed.try_reserve_exact(count).map_err(io::Error::other)?;
    let mut numbers = Vec::new();
    each(&mut |state| {
        numbers.clear();
        let ranked = state.iter().zip(ranks);
        numbers.extend(ranked.map(|(number, ranks)| ranks[*number as usize]));
        packed.push(layout.pack(&numbers));
    });
    packed.sort_unstable();
    write_number(out, packed.len() as u64)?;
    let mut before = None;
    for state in packed {
        let distance = match before {
            None => state,
            Some(before) => difference(difference(state, before), one()),
        };
        write_wide(out, distance)?;
        before = Some(state);
    }
    Ok(())
}

/// The number 1.
fn one<const W: usize>() -> Wide<W> {
    let mut one = [0; W];
    one[W - 1] = 1;
    one
}

/// A file that knows the checksum of what was written to it.
struct Summing {
    file: BufWriter<File>,
    sum: Sha256,
    bytes: u64,
}

impl Summing {
    fn new(file: File) -> Summing {
        Summing {
            file: BufWriter::new(file),
            sum: Sha256::new(),
            bytes: 0,
        }
    }

    /// Adds the checksum, and gives the size of it all.
    fn finish(mut self) -> io::Result<u64> {
        let sum = self.sum.clone().finalize();
        self.write_all(&sum)?;
        self.file.flush()?;
        Ok(self.bytes)
    }
}

impl Write for Summing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.sum.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
