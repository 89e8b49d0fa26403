package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a computer opens a file as, by the last part of its name and whatever type the mail says.
 * Asked by {@link Parameters}; pure, any thread.
 */
enum AttachedFile {
  /** Opened in a browser. */
  PAGE(TextForm.PAGES),
  /** Opened in a browser, as XML, with the XHTML and SVG in it. */
  DOCUMENT(TextForm.DOCUMENTS),
  /** Opened as a mail; a page that was saved with its pictures is one too. */
  MAIL(TextForm.NONE),
  /** A calendar or address card, whose lines are folded (RFC 5545 section 3.1, RFC 6350). */
  CARD(TextForm.CARDS),
  /** Text that leads to a page: shortcuts, queries, and Rich Text with its links. */
  TEXT(TextForm.TEXTS);

  private static final int LONGEST_EXTENSION = 20;

  @SuppressWarnings("ImmutableEnumChecker") // of constants
  private final List<TextForm> forms;

  AttachedFile(List<TextForm> forms) {
    this.forms = forms;
  }

  /** The forms that such a file is read in. */
  List<TextForm> forms() {
    return forms;
  }

  /**
   * The kind of a file; {@code null} for one that is no text.
   *
   * @param words reads encoded names; one for all names of a mail, because to look up a charset
   *     that nobody knows takes 0.3 ms
   */
  static @Nullable AttachedFile of(byte[] name, Supplier<EncodedWords> words) {
    int end = name.length;
    // Windows takes dots and spaces at the end away.
    while (end > 0 && (name[end - 1] == '.' || Boundaries.isBlank(name[end - 1]))) {
      end--;
    }
    int dot = end - 1;
    while (dot >= 0 && name[dot] != '.') {
      dot--;
    }
    if (dot < 0 || end - dot > LONGEST_EXTENSION + 1) {
      return encoded(name, words);
    }
    AttachedFile found =
        switch (new String(name, dot + 1, end - dot - 1, ISO_8859_1).toLowerCase(Locale.ROOT)) {
          case "html", "htm", "shtml", "shtm", "hta" -> PAGE;
          case "xhtml", "xht", "svg", "xml" -> DOCUMENT;
          case "eml", "mht", "mhtml" -> MAIL;
          case "ics", "vcs", "ifb", "vcf" -> CARD;
          case "url", "website", "webloc", "desktop", "rtf" -> TEXT;
          case "iqy", "oqy", "rqy", "library-ms", "searchconnector-ms" -> TEXT;
          default -> null;
        };
    return found == null ? encoded(name, words) : found;
  }

  /** Mail clients decode encoded words in names too, which RFC 2047 section 5 does not allow. */
  private static @Nullable AttachedFile encoded(byte[] name, Supplier<EncodedWords> words) {
    int question = Octets.indexOf((byte) '?', name, 0, name.length);
    if (question < 1 || name[question - 1] != '=') {
      return null;
    }
    EncodedWords reader = words.get();
    AttachedFile found = plain(reader.decode(name, 0, name.length, name.length), words);
    String joined = reader.joined(name, 0, name.length);
    return joined == null ? found : first(found, plain(joined, words));
  }

  private static @Nullable AttachedFile plain(String name, Supplier<EncodedWords> words) {
    return name.contains("=?") ? null : of(name.getBytes(ISO_8859_1), words);
  }

  /** Of two names of one file the one that is opened with more. */
  static @Nullable AttachedFile first(@Nullable AttachedFile one, @Nullable AttachedFile other) {
    boolean second = one == null || (other != null && other.compareTo(one) < 0);
    return second ? other : one;
  }
}
