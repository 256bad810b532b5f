const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Characters that stand each for itself: of most alphabets, ideographs, punctuation, and what is drawn with. */
const SINGLE =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20c0\u2190-\u2bff\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff01-\uff60]*$/;

/** What a reader takes for one character: a letter with its accents, an emoji with all that belongs to it. */
export function graphemesOf(text: string): string[] {
  return SINGLE.test(text) ? text.split("") : Array.from(GRAPHEMES.segment(text), ({ segment }) => segment);
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;

/** Of what takes no cell of its own. */
const NO_WIDTH = /^[\p{M}\p{Default_Ignorable_Code_Point}]+$/u;

/** Cells of one grapheme of printable text. */
export function widthOfGrapheme(grapheme: string): 0 | 1 | 2 {
  if (grapheme.length === 1) {
    const code = grapheme.charCodeAt(0);
    if (code >= 0x20 && code <= 0x7e) return 1;
    if (code >= 0x4e00 && code <= 0x9fff) return 2;
    // Lines and corners of tables.
    if (code >= 0x2500 && code <= 0x257f) return 1;
  }
  if (WIDE.test(grapheme)) return 2;
  return NO_WIDTH.test(grapheme) ? 0 : 1;
}

/** Terminals do not agree on the cells of these. */
const UNCERTAIN = /[\u{1f000}-\u{1ffff}]|\ufe0f|\u200d/u;

export function hasCertainWidth(grapheme: string): boolean {
  return grapheme.length === 1 || !UNCERTAIN.test(grapheme);
}

/** What does not begin a row. */
const NO_BEGIN = /^[,.:;!?%)\]}»›…’”、。，．：；！？％）］｝〉》」』】〕〗ー々]/u;
/** What does not end a row. */
const NO_END = /[([{«‹‘“（［｛〈《「『【〔〖]$/u;

/** Whether a row may end between two that stand without a blank, one of them wide. */
export function mayBreakBetween(before: string, after: string): boolean {
  return !NO_BEGIN.test(after) && !NO_END.test(before);
}
