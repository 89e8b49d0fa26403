package io.bloomgate.blocklists.content.html;

/**
 * Reads HTML while its characters pass: hands on the visible text and the values of attributes that
 * are URLs; the states are those of WHATWG HTML section 13.2.5, as far as they matter here. Used by
 * {@link HtmlReading} on the thread of the mail.
 *
 * <p>Text of scripts, styles, titles and comments is not visible; the comments that Outlook reads
 * as HTML ({@code <!--[if mso]>}) are read as HTML. Tags inside a line join the words around them,
 * because {@code ex<b></b>ample} is shown as one word; all others end the line.
 *
 * <p>Browsers see no tags in a text area or a frame, and other styles in SVG; simple readers do not
 * know that.
 */
final class HtmlTokens {

  /** How a text is read. */
  enum Rules {
    /** As browsers do. */
    BROWSER,
    /** As readers do that know scripts alone. */
    SIMPLE,
    /** As XML, where any tag can close itself and any text can have tags in it. */
    XML
  }

  private enum State {
    TEXT,
    TAG_OPEN,
    END_TAG_OPEN,
    TAG_NAME,
    BEFORE_NAME,
    NAME,
    AFTER_NAME,
    BEFORE_VALUE,
    DOUBLE_QUOTED,
    SINGLE_QUOTED,
    BARE_VALUE,
    MARKUP,
    DECLARATION,
    RAW,
    ENTITY
  }

  private final VisibleText visible;
  private State state = State.TEXT;
  private final TagName name = new TagName();
  private final AttributeValue value;
  private boolean keep;

  private final RawText raw = new RawText();
  private final HtmlComment markup = new HtmlComment();

  /** Inside a comment that Outlook reads as HTML: for all others it ends at the first arrow. */
  private boolean conditional;

  private int hyphens;
  private final TagContent content = new TagContent();
  private State entityIn = State.TEXT;
  private final CharacterReference entity = new CharacterReference();

  HtmlTokens(HtmlSink sink) {
    this.visible = new VisibleText(sink);
    this.value = new AttributeValue(sink);
  }

  /** Begins a text. */
  void start(Rules by) {
    content.start(by);
    state = State.TEXT;
    visible.start();
    conditional = false;
  }

  /**
   * Takes the next characters; some of the visible text may wait for more.
   *
   * @return where it ended: behind the first tag that makes {@link #differs} true, or at the end
   */
  int put(char[] text, int from, int to) {
    int i = from;
    boolean before = content.differs();
    while (i < to && before == content.differs()) {
      i = conditional ? inConditional(text, i) : read(text, i, to);
    }
    return i;
  }

  /** True when simple readers may read the rest in another way. */
  boolean differs() {
    return content.differs();
  }

  /** True in the content of a tag that has no tags in it. */
  boolean isRaw() {
    return state == State.RAW;
  }

  private int read(char[] text, int from, int to) {
    return switch (state) {
      case TEXT -> text(text, from, to);
      case TAG_OPEN -> from + (tagOpen(text[from]) ? 1 : 0);
      case END_TAG_OPEN, DECLARATION -> from + (step(text[from]) ? 1 : 0);
      case TAG_NAME -> tagName(text, from, to);
      case BEFORE_NAME, NAME, AFTER_NAME -> names(text, from, to);
      case BEFORE_VALUE -> from + (beforeValue(text[from]) ? 1 : 0);
      case DOUBLE_QUOTED, SINGLE_QUOTED, BARE_VALUE -> value(text, from, to);
      case MARKUP -> markup(text, from, to);
      case RAW -> raw(text, from, to);
      case ENTITY -> entityName(text, from, to);
    };
  }

  /**
   * Reads one character. Whatever is open there, such as the value of an attribute, is inside the
   * comment for every reader but Outlook.
   */
  private int inConditional(char[] text, int from) {
    char c = text[from];
    if (c == '>' && hyphens >= 2) {
      end();
      state = State.TEXT;
      conditional = false;
      content.endConditional();
      return from + 1;
    }
    hyphens = HtmlComment.hyphens(hyphens, c);
    for (int i = from; i == from && conditional; ) {
      i = read(text, i, from + 1);
    }
    return from + 1;
  }

  /** Ends the text. What is open, such as a tag, is none: no reader shows it. */
  void end() {
    if (state == State.ENTITY) {
      endEntity(false, (char) 0);
    }
    if (state == State.TAG_OPEN) {
      write('<');
    }
    if (state == State.BARE_VALUE || state == State.DOUBLE_QUOTED || state == State.SINGLE_QUOTED) {
      endValue(); // some readers do show it
    }
    visible.flush();
  }

  private int text(char[] text, int from, int to) {
    int i = visible.put(text, from, to);
    while (i < to && text[i] == '&') {
      entity(State.TEXT);
      i = entityName(text, i + 1, to);
      i = state == State.TEXT ? visible.put(text, i, to) : i;
    }
    if (i == to) {
      return to;
    }
    i++; // behind the sign that begins a tag
    boolean end = i < to && text[i] == '/';
    int begin = end ? i + 1 : i;
    if (begin < to && HtmlNames.isLetter(text[begin])) {
      startTag(end); // as nearly always, and faster than by the states between
      return tagName(text, begin, to);
    }
    state = State.TAG_OPEN;
    return i;
  }

  /** Behind {@code </} or in a declaration; false when the character has to be read again. */
  private boolean step(char c) {
    if (state == State.END_TAG_OPEN) {
      if (HtmlNames.isLetter(c)) {
        return startTag(true);
      }
      state = c == '>' ? State.TEXT : State.DECLARATION;
    } else if (c == '>') {
      state = State.TEXT;
    } else if (content.isXml()) {
      visible.add(c); // an entity may be declared there
    }
    return true;
  }

  private boolean tagOpen(char c) {
    if (HtmlNames.isLetter(c)) {
      return startTag(false);
    }
    switch (c) {
      case '/' -> state = State.END_TAG_OPEN;
      case '!' -> {
        state = State.MARKUP;
        markup.start(content.isForeign());
      }
      case '?' -> state = State.DECLARATION;
      default -> {
        write('<');
        state = State.TEXT;
        return false;
      }
    }
    return true;
  }

  /** In front of its first letter, which is read again. */
  private boolean startTag(boolean end) {
    name.start(end);
    value.startTag();
    state = State.TAG_NAME;
    return false;
  }

  private int tagName(char[] text, int from, int to) {
    for (int i = name.addLetters(text, from, to); i < to; i++) {
      char c = text[i];
      if (HtmlNames.isBlank(c) || c == '/') {
        state = State.BEFORE_NAME;
        name.slash(c == '/');
        return i + 1;
      }
      if (c == '>') {
        endOfTag();
        return i + 1;
      }
      name.add(c, content.isXml());
    }
    return to;
  }

  /** Names of attributes and what is around them, up to a value or the end of the tag. */
  private int names(char[] text, int from, int to) {
    int i = from;
    for (boolean more = true; more && i < to; i++) {
      more = ofNames(text[i]);
      if (state == State.NAME) {
        i = name.addLettersOfAttribute(text, i + 1, to) - 1;
      }
    }
    return i;
  }

  private boolean ofNames(char c) {
    if (c == '>') {
      endOfTag();
      return false;
    }
    name.slash(c == '/');
    if (c == '=' && state != State.BEFORE_NAME) {
      state = State.BEFORE_VALUE;
      return false;
    }
    if (HtmlNames.isBlank(c)) {
      state = state == State.NAME ? State.AFTER_NAME : state;
    } else if (c == '/') {
      state = State.BEFORE_NAME;
    } else {
      if (state != State.NAME) {
        name.startAttribute();
        state = State.NAME;
      }
      name.addAttribute(c, content.isXml());
    }
    return true;
  }

  private boolean beforeValue(char c) {
    if (HtmlNames.isBlank(c)) {
      return true;
    }
    if (c == '>') {
      endOfTag();
      return true;
    }
    keep = !name.isEnd() && value.start(name.tag(), name.attribute());
    state = c == '"' ? State.DOUBLE_QUOTED : c == '\'' ? State.SINGLE_QUOTED : State.BARE_VALUE;
    return state != State.BARE_VALUE;
  }

  private int value(char[] text, int from, int to) {
    char quote = state == State.DOUBLE_QUOTED ? '"' : '\'';
    boolean bare = state == State.BARE_VALUE;
    for (int i = from; i < to; i++) {
      char c = text[i];
      if (bare ? c == '>' || HtmlNames.isBlank(c) : c == quote) {
        endValue();
        state = State.BEFORE_NAME;
        if (c == '>') {
          endOfTag();
        }
        return i + 1;
      }
      if (c == '&' && keep) {
        entity(state);
        return i + 1;
      }
      write(c);
    }
    return to;
  }

  private void endValue() {
    if (keep) {
      keep = false;
      value.end(name.tag(), name.attribute());
    }
  }

  private void endOfTag() {
    state = State.TEXT;
    value.endOfTag();
    if (!HtmlNames.isInline(name.tag())) {
      write('\n');
    }
    if (HtmlNames.isQuote(name.tag()) || value.hasRule()) {
      visible.quote(!name.isEnd());
    }
    if (content.isRawBehind(name.tag(), name.isEnd(), name.closesItself())) {
      raw.start(name.tag());
      state = State.RAW;
    }
  }

  /** Behind {@code <!}. */
  private int markup(char[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      switch (markup.add(text[i])) {
        case ENDED -> {
          state = State.TEXT;
          return i + 1;
        }
        case DECLARATION -> {
          state = State.DECLARATION;
          return i + 1;
        }
        case CONDITIONAL -> {
          state = State.DECLARATION;
          conditional = true;
          content.startConditional();
          hyphens = 0;
          return i + 1;
        }
        case OPEN -> {}
      }
    }
    return to;
  }

  /** Up to {@code </name}, behind which a tag ends as usual. */
  private int raw(char[] text, int from, int to) {
    for (int i = from; i < to; i++) {
      char c = text[i];
      value.raw(name.tag(), c);
      if (raw.ends(c)) {
        name.startEnd();
        value.startTag();
        state = State.BEFORE_NAME;
        return c == '>' ? i : i + 1;
      }
      if (raw.hasTag() && content.differsInRaw()) {
        return i + 1;
      }
    }
    return to;
  }

  private void entity(State in) {
    entityIn = in;
    entity.start();
    state = State.ENTITY;
  }

  private int entityName(char[] text, int from, int to) {
    int i = entity.add(text, from, to);
    if (i < to) {
      endEntity(text[i] == ';', text[i]);
      i += text[i] == ';' ? 1 : 0;
    }
    return i;
  }

  private void endEntity(boolean semicolon, char next) {
    state = entityIn;
    // in a query a name without semicolon stands for itself
    int length = entity.end(semicolon, entityIn != State.TEXT && next == '=');
    for (int i = 0; i < length; i++) {
      write(entity.result()[i]);
    }
  }

  /** To the visible text, or to the value that is open. */
  private void write(char c) {
    if (state == State.TEXT || state == State.TAG_OPEN) {
      visible.add(c);
    } else if (keep) {
      value.add(c);
    }
  }
}
