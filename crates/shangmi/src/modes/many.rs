//! Many messages at once: a lane takes a message block after block through its chain, X = E(X ⊕ B), all lanes side by
//! side.
//!
//! When a message ends, its lane takes the next one, so that unequal lengths keep the lanes busy. All run as many
//! blocks as the one that has fewest ready. At the end lanes run dry and the last one moves into the gap. Nothing
//! is allocated.
use crate::sm4::{Block, Lane, Sm4};
use zeroize::Zeroize;

/// Messages side by side: as many as the widest kernel takes blocks at a time.
const MANY: usize = 128;
/// Where no more are there, fewer lanes are ready sooner.
const FEW: usize = 16;

/// Input of a chain that changes nothing, for a block that is in the chain already.
pub(super) static ZEROS: [Block; 1] = [[0; 16]];

/// A message in a lane.
pub(super) trait Message {
    /// Its blocks.
    type Blocks: Lane;

    /// The next blocks that lie together, one or more, or the end. A block that lies nowhere is added to `chain`,
    /// with [`ZEROS`] in its place.
    fn next(&mut self, chain: &mut Block) -> Option<Self::Blocks>;

    /// Takes the last value of the chain.
    fn done(self, chain: &Block);
}

/// For [`Message::next`]: the blocks of `rest`, the last one filled with zeros.
pub(super) fn padded<'a>(rest: &mut &'a [u8], chain: &mut Block) -> Option<&'a [Block]> {
    let (blocks, tail) = rest.as_chunks();
    if !blocks.is_empty() {
        *rest = tail;
        return Some(blocks);
    }
    if tail.is_empty() {
        return None;
    }
    super::xor(chain, tail);
    *rest = &[];
    Some(&ZEROS)
}

/// Takes all messages, each with the first value of its chain, to their ends.
pub(super) fn run<M: Message>(cipher: &Sm4, messages: impl Iterator<Item = (Block, M)>) {
    if messages.size_hint().1.is_some_and(|count| count <= FEW) {
        Lanes::<M, FEW>::new().run(cipher, messages);
    } else {
        Lanes::<M, MANY>::new().run(cipher, messages);
    }
}

/// The first `active` of `N` lanes have a message, and blocks ready.
struct Lanes<M: Message, const N: usize> {
    active: usize,
    chains: [Block; N],
    blocks: [M::Blocks; N],
    messages: [Option<M>; N],
}

impl<M: Message, const N: usize> Lanes<M, N> {
    fn new() -> Self {
        Self {
            active: 0,
            chains: [Block::default(); N],
            blocks: core::array::from_fn(|_| M::Blocks::default()),
            messages: [const { None }; N],
        }
    }

    fn run(mut self, cipher: &Sm4, messages: impl Iterator<Item = (Block, M)>) {
        let mut messages = messages.fuse();
        while self.fill(&mut messages) {
            self.step(cipher);
        }
        self.chains.as_flattened_mut().zeroize();
    }

    /// Gives free lanes messages; whether any lane has one.
    fn fill(&mut self, messages: &mut impl Iterator<Item = (Block, M)>) -> bool {
        while self.active < N {
            let Some((chain, message)) = messages.next() else {
                break;
            };
            let lane = self.active;
            self.chains[lane] = chain;
            self.messages[lane] = Some(message);
            self.active += 1;
            self.proceed(lane);
        }
        self.active > 0
    }

    /// Runs all lanes as far as all have blocks.
    fn step(&mut self, cipher: &Sm4) {
        let blocks = &mut self.blocks[..self.active];
        let count = blocks.iter().map(Lane::len).min().unwrap_or_default();
        cipher.encrypt_lanes(&mut self.chains[..self.active], blocks, count);
        // Downwards, because a lane that runs dry gets the message of the last one.
        for lane in (0..self.active).rev() {
            self.blocks[lane].advance(count);
            if self.blocks[lane].len() == 0 {
                self.proceed(lane);
            }
        }
    }

    /// Goes on to the message's next blocks, or ends it and closes the gap.
    fn proceed(&mut self, lane: usize) {
        let next = self.messages[lane]
            .as_mut()
            .and_then(|message| message.next(&mut self.chains[lane]));
        if let Some(blocks) = next {
            self.blocks[lane] = blocks;
            return;
        }
        if let Some(message) = self.messages[lane].take() {
            message.done(&self.chains[lane]);
        }
        self.active -= 1;
        self.chains[lane] = self.chains[self.active];
        self.blocks.swap(lane, self.active);
        self.messages.swap(lane, self.active);
    }
}
