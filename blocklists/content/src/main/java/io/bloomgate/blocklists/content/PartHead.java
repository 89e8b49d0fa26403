package io.bloomgate.blocklists.content;

import io.bloomgate.config.name.WebUrl;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The facts that the header of a part says about its body. Made by {@link PartFields}; immutable.
 *
 * @param type in small letters
 * @param charset as it is written; empty for none
 * @param fileName as it is written; empty for none
 * @param isAttachment true for a Content-Disposition of that name (RFC 2183)
 * @param isJoined true for text whose lines are joined without the space at their ends (RFC 3676,
 *     DelSp)
 * @param location what its links are relative to; {@code null} for nothing
 */
record PartHead(
    String type,
    String charset,
    String fileName,
    boolean isAttachment,
    boolean isJoined,
    @Nullable WebUrl location) {

  private static final Set<String> PAGES = Set.of("text/html", "text/x-amp-html");
  private static final Set<String> CARDS =
      Set.of("text/calendar", "application/ics", "text/vcard", "text/x-vcard", "text/directory");

  /** RFC 3464, 8098, 5965, 6533 and 3462: what a mail server or a reader says of another mail. */
  private static final Set<String> REPORTS =
      Set.of(
          ("message/delivery-status message/disposition-notification "
                  + "message/feedback-report message/global-delivery-status "
                  + "message/global-disposition-notification message/global-headers "
                  + "text/rfc822-headers")
              .split(" "));

  private static final Set<String> TABLES = Set.of("text/csv", "text/tab-separated-values");

  /** The way in which the characters of a body are read. */
  enum Form {
    /** Not as text. */
    NONE,
    PLAIN,
    PAGE,
    XML,
    /** A calendar or an address card, whose lines are folded (RFC 5545 section 3.1, RFC 6350). */
    CARD,
    /** A body that is read as a mail. */
    MAIL
  }

  /** Returns the form by the type or, where that says nothing, by the name of the file. */
  Form form() {
    if (PAGES.contains(type)) {
      return Form.PAGE;
    }
    if (CARDS.contains(type)) {
      return Form.CARD;
    }
    if (type.endsWith("/xml") || type.endsWith("+xml")) {
      return Form.XML;
    }
    Form byName =
        switch (extension()) {
          case "html", "htm", "shtml", "shtm", "hta" -> Form.PAGE;
          case "xhtml", "xht", "svg", "xml" -> Form.XML;
          case "ics", "vcs", "ifb", "vcf" -> Form.CARD;
          case "url", "website", "webloc", "desktop", "rtf" -> Form.PLAIN;
          case "iqy", "oqy", "rqy", "library-ms", "searchconnector-ms" -> Form.PLAIN;
          case "eml", "mht", "mhtml" -> Form.MAIL;
          default -> Form.NONE;
        };
    boolean isText =
        type.startsWith("text/") || type.startsWith("message/") || type.equals("application/rtf");
    return isText && (byName == Form.NONE || byName == Form.MAIL) ? Form.PLAIN : byName;
  }

  private String extension() {
    int end = fileName.length();
    // Windows takes dots and spaces at the end away.
    while (end > 0 && (fileName.charAt(end - 1) == '.' || fileName.charAt(end - 1) <= ' ')) {
      end--;
    }
    int dot = fileName.lastIndexOf('.', end - 1);
    return dot < 0 ? "" : fileName.substring(dot + 1, end).toLowerCase(Locale.ROOT);
  }

  /** True for a part that is saved or opened by itself. */
  boolean isFile() {
    return !fileName.isEmpty() || isAttachment;
  }

  /** True for a part that gets a fingerprint as a file. */
  boolean isHashed() {
    boolean isShown = PAGES.contains(type) || type.startsWith("text/");
    boolean isMail = type.startsWith("message/") || type.startsWith("multipart/");
    return !fileName.isEmpty() || (isShown ? isAttachment : !isMail);
  }

  /** True for a part of a mail that tells of another mail: it is evidence, and no link. */
  boolean isAboutMails() {
    boolean sample = type.startsWith("text/") && extension().equals("eml");
    return REPORTS.contains(type) || (isAttachment && (TABLES.contains(type) || sample));
  }
}
