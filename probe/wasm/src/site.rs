//! The tables of a site, and the questions that are asked of them.

use std::sync::Arc;

use makruk_answers::{Answer, Asking, Door, Question, Refusal, Remedy, Step};
use makruk_probe::Tablebase;
use makruk_remote::{Catalogue, RemoteProber, RemoteStore, Want};
use serde::{Serialize, Serializer};

/// Bytes of decoded stripes that are kept.
const STRIPE_BYTES: usize = 8 << 20;
/// The number of wanted pieces of files at which a question waits for them before it continues with its next part.
const ENOUGH_WANTS: usize = 192;

/// A site as a place for questions.
const DOOR: Door = Door { remedy: Remedy::Site, most_positions: usize::MAX };

/// The tables of a site.
#[derive(Debug)]
pub struct Site {
    /// The bytes that are here.
    pub store: RemoteStore,
    prober: RemoteProber,
}

/// The outcome of a question, for now or for good.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The answer.
    Answer(Answer),
    /// There is no answer.
    Refused(Box<Refusal>),
    /// Bytes are wanted: the file, where they begin and their number, which is `null` for a whole file.
    Wants(#[serde(serialize_with = "as_lists")] Vec<Want>),
}

fn as_lists<S: Serializer>(wants: &[Want], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(wants.iter().map(|want| (want.file.to_string(), want.offset, want.len)))
}

impl Site {
    /// The tables of a catalogue, of which at most `most_bytes` are kept.
    pub fn new(catalogue: Catalogue, most_bytes: usize) -> Site {
        let store = RemoteStore::new(catalogue, most_bytes);
        let tablebase = Tablebase::builder().store(Arc::new(store.clone())).cache_bytes(STRIPE_BYTES).build();
        Site { prober: RemoteProber::new(tablebase), store }
    }

    /// Begins a question.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn begin(&self, question: Question) -> Result<Asking<RemoteProber, Question>, Box<Refusal>> {
        Asking::new(question, self.prober.clone(), DOOR)
    }

    /// Continues a question as far as the bytes at hand allow.
    pub fn go_on(&self, asking: &mut Asking<RemoteProber, Question>) -> Outcome {
        // An earlier question may have left its wants.
        self.store.take_wants();
        asking.rewind();
        loop {
            match asking.go_on() {
                Step::Done(answer) => return Outcome::Answer(answer),
                Step::Refused(refusal) => return Outcome::Refused(refusal),
                Step::More if self.store.want_count() < ENOUGH_WANTS => {}
                Step::More | Step::Wants => {
                    let wants = self.store.take_wants();
                    if wants.is_empty() {
                        let error = "the question needs more pieces of files than a store can remember";
                        return Outcome::Refused(Box::new(Refusal::new(makruk_answers::Reason::INTERNAL, error)));
                    }
                    return Outcome::Wants(wants);
                }
            }
        }
    }
}
