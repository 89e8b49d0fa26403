package io.bloomgate.blocklists.content;

import io.bloomgate.blocklists.campaign.BodyPrint;
import io.bloomgate.blocklists.content.html.HtmlReading;
import io.bloomgate.blocklists.content.html.HtmlSink;
import org.jspecify.annotations.Nullable;

/**
 * One way to read the octets of a text: in a charset and a {@link TextForm}. Hands the visible text
 * and the links on to the keys of its {@link MailContext}. Used by {@link LeafReader}.
 */
final class TextReading {

  private static final char[] GAP = {'\n'};

  private final MailContext mail;
  private final TextDecoder text = new TextDecoder(this::characters, TextDecoder.BODY);
  private final Page page;
  private @Nullable HtmlReading html;
  private @Nullable Unfolding unfolding;
  private @Nullable Flowing flowing;
  private boolean hasTags;

  /** Lines of the text go on. */
  private boolean folds;

  /** Lines of the text go on behind a space. */
  private boolean flows;

  TextReading(MailContext mail) {
    this.mail = mail;
    this.page = new Page(mail);
  }

  /**
   * Begins a text.
   *
   * @param charset as the mail names it
   * @param plainly read as ASCII whatever the charset, as by readers that do not know it
   * @param prints the visible text is part of the fingerprint of the body
   */
  void start(
      TextForm form, @Nullable String charset, boolean plainly, TextPlace place, boolean prints) {
    hasTags = form.hasTags();
    folds = form.isFolded();
    flows = form == TextForm.FLOWED;
    page.start(!hasTags, place, prints);
    if (flows) {
      Flowing lines = flowing == null ? new Flowing(this::unfolded) : flowing;
      flowing = lines;
      lines.start();
    }
    if (folds) {
      Unfolding lines = unfolding == null ? new Unfolding(this::unfolded) : unfolding;
      unfolding = lines;
      lines.start();
    }
    if (hasTags) {
      HtmlReading reader = html == null ? new HtmlReading(page) : html;
      html = reader;
      reader.start(form == TextForm.XML);
    }
    if (plainly) {
      text.startPlainly();
    } else if (!text.start(charset)) {
      mail.keys().skipped(Skipped.UNKNOWN_CHARSET);
    }
  }

  /** Takes the next octets. */
  void put(byte[] octets, int from, int to) {
    text.put(octets, from, to);
  }

  /** Ends the text. */
  void end() {
    text.end();
    if (text.isGivenUp()) {
      mail.keys().skipped(Skipped.UNREADABLE);
    }
    Unfolding lines = unfolding;
    if (folds && lines != null) {
      lines.end();
    }
    Flowing joined = flowing;
    if (flows && joined != null) {
      joined.end();
    }
    HtmlReading reader = html;
    if (hasTags && reader != null) {
      reader.end();
    }
    page.end();
  }

  private void characters(char[] characters, int from, int to) {
    Unfolding lines = unfolding;
    Flowing joined = flowing;
    if (folds && lines != null) {
      lines.put(characters, from, to);
    } else if (flows && joined != null) {
      joined.put(characters, from, to);
    } else {
      unfolded(characters, from, to);
    }
  }

  private void unfolded(char[] characters, int from, int to) {
    HtmlReading reader = html;
    if (hasTags && reader != null) {
      reader.put(characters, from, to);
    } else {
      page.text(characters, from, to);
    }
  }

  /** What is found in the text. */
  private static final class Page implements HtmlSink {
    private final MailContext mail;
    private @Nullable Urls urls;
    private @Nullable Page beside;
    private boolean plain;
    private TextPlace place = TextPlace.of(false);
    private boolean printing;

    Page(MailContext mail) {
      this.mail = mail;
    }

    void start(boolean isPlain, TextPlace at, boolean prints) {
      plain = isPlain;
      place = at;
      printing = prints && mail.body() != null;
      if (mail.wantsUrls()) {
        Urls found = urls == null ? new Urls(mail.keys(), mail.urlsLeft()) : urls;
        urls = found;
        found.start(plain, at);
      }
    }

    void end() {
      Urls found = urls;
      if (found != null) {
        found.end();
      }
      BodyPrint body = mail.body();
      if (printing && body != null) {
        body.put(GAP, 0, 1);
      }
    }

    @Override
    public HtmlSink beside() {
      Page other = beside == null ? new Page(mail.beside()) : beside;
      beside = other;
      other.start(plain, place, false);
      if (urls != null && other.urls != null) {
        other.urls.quotedLike(urls);
      }
      return other;
    }

    @Override
    public void text(char[] characters, int from, int to) {
      Urls found = urls;
      if (found != null) {
        found.text(characters, from, to);
      }
      BodyPrint body = mail.body();
      if (printing && body != null) {
        body.put(characters, from, to - from);
      }
    }

    @Override
    public void link(char[] value, int length) {
      Urls found = urls;
      if (found != null) {
        found.link(value, length);
      }
    }

    @Override
    public void mention(String value) {
      Urls found = urls;
      if (found != null) {
        found.mention(value);
      }
    }

    @Override
    public void script(String value) {
      if (place.file()) {
        mention(value);
      }
    }

    @Override
    public void quote(boolean begins) {
      Urls found = urls;
      if (found != null) {
        found.quote(begins);
      }
    }

    @Override
    public void refresh(String content) {
      Urls found = urls;
      if (found != null) {
        found.refresh(content);
      }
    }

    @Override
    public void base(String value) {
      Urls found = urls;
      if (found != null) {
        found.base(value);
      }
    }

    @Override
    public void endBeside() {
      Page other = beside;
      if (other != null) {
        other.end();
      }
    }

    @Override
    public void longAttribute() {
      mail.keys().skipped(Skipped.LONG_ATTRIBUTE);
    }

    @Override
    public void keep(int octets) {
      mail.urlsLeft().keep(octets);
    }
  }
}
