//! The tokens of a PGN text.

/// A tag, a parenthesis, a word, or the beginning of a comment that is never closed.
pub(super) enum Token<'a> {
    /// The rest of a line that begins with `[`.
    Tag(&'a str),
    /// The beginning of a variation.
    OpenVariation,
    /// The end of a variation.
    CloseVariation,
    /// A comment without an end; it takes the rest of the text.
    OpenComment,
    /// A move, its number, a result: anything else.
    Word(&'a str),
}

/// Splits a text into tokens. Comments, escaped lines and annotation glyphs are skipped.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    rest: &'a str,
    line: usize,
    at_line_start: bool,
}

impl<'a> Tokens<'a> {
    /// The tokens of a text, which may begin with a byte order mark.
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { rest: text.strip_prefix('\u{feff}').unwrap_or(text), line: 1, at_line_start: true }
    }

    /// The number of the line on which the last token ended, the first line being 1.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// Consumes a number of bytes.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        if !taken.is_empty() {
            self.at_line_start = taken.ends_with('\n');
        }
        self.rest = rest;
        taken
    }

    /// Consumes the rest of the line, without its end.
    fn take_line(&mut self) -> &'a str {
        self.take(self.rest.find('\n').unwrap_or(self.rest.len()))
    }

    /// Consumes white space, comments, escaped lines and glyphs. False if a comment is not closed.
    fn skip_idle(&mut self) -> bool {
        loop {
            let idle = self.rest.len() - self.rest.trim_start().len();
            self.take(idle);
            match self.rest.as_bytes() {
                [b'{', ..] => match self.rest.find('}') {
                    Some(end) => _ = self.take(end + 1),
                    None => {
                        self.take(self.rest.len());
                        return false;
                    }
                },
                [b';', ..] => _ = self.take_line(),
                [b'%', ..] if self.at_line_start => _ = self.take_line(),
                [b'$', ..] => {
                    let digits = self.rest[1..].bytes().take_while(u8::is_ascii_digit).count();
                    self.take(1 + digits);
                }
                _ => return true,
            }
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        if !self.skip_idle() {
            return Some(Token::OpenComment);
        }
        Some(match self.rest.bytes().next()? {
            b'[' => Token::Tag(self.take_line()),
            b'(' => {
                self.take(1);
                Token::OpenVariation
            }
            b')' => {
                self.take(1);
                Token::CloseVariation
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || "{}()[];$".contains(c);
                let first = self.rest.chars().next().map_or(1, char::len_utf8);
                let length = self.rest[first..].find(ends).map_or(self.rest.len(), |at| at + first);
                Token::Word(self.take(length))
            }
        })
    }
}
