package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the Content fields of one header block say of its body. One object serves all blocks of a
 * mail. Used by {@link MimeSplitter} and {@link LeafReader}.
 *
 * <p>Of several fields of one name the first that can be read counts, as in most mail clients; that
 * there were several is noted.
 */
final class PartHead {

  /** How a body is read. */
  enum Kind {
    /** Text of any kind but HTML. */
    PLAIN,
    /** HTML in mails, XHTML, SVG, and files that are named like them. */
    HTML,
    /** Parts between lines with a boundary. */
    MULTIPART,
    /** A mail. */
    MESSAGE,
    /** Everything else. */
    OTHER
  }

  /** RFC 2045 section 6. */
  enum Encoding {
    /** 7bit, 8bit, binary. */
    IDENTITY,
    QUOTED_PRINTABLE,
    BASE64,
    /** Read like 8bit, and noted. */
    UNKNOWN
  }

  private static final byte[] MULTIPART = octets("multipart/");
  private static final byte[] DIGEST = octets("multipart/digest");
  private static final byte[] TEXT = octets("text/");
  private static final byte[] HTML = octets("text/html");
  private static final byte[] AMP = octets("text/x-amp-html");
  private static final byte[] XML_OF_APPLICATION = octets("application/xml");
  private static final byte[] XML_OF_TEXT = octets("text/xml");
  private static final byte[] XML_OF_ANY = octets("+xml");
  private static final byte[] ATTACHMENT = octets("attachment");
  private static final byte[] XHTML = octets("application/xhtml+xml");
  private static final byte[] SVG = octets("image/svg+xml");
  private static final byte[] MAIL = octets("message/rfc822");
  private static final byte[] GLOBAL_MAIL = octets("message/global");
  private static final byte[] MESSAGE = octets("message/");
  private static final byte[] RICH = octets("application/rtf");
  private static final byte[][] CARDS = {
    octets("text/calendar"),
    octets("application/ics"),
    octets("text/vcard"),
    octets("text/x-vcard"),
    octets("text/directory")
  };

  /** RFC 3464, 8098, 5965, 6533 and 3462: what a mail server or a reader says of another mail. */
  private static final byte[][] REPORTS = {
    octets("message/delivery-status"),
    octets("message/disposition-notification"),
    octets("message/feedback-report"),
    octets("message/global-delivery-status"),
    octets("message/global-disposition-notification"),
    octets("message/global-headers"),
    octets("text/rfc822-headers")
  };

  private static final byte[][] TABLES = {octets("text/csv"), octets("text/tab-separated-values")};
  private static final byte[] BASE64 = octets("base64");
  private static final byte[] QUOTED = octets("quoted-printable");
  private static final byte[][] IDENTITIES = {octets("7bit"), octets("8bit"), octets("binary")};

  private @Nullable EncodedWords words;
  private final Parameters type = new Parameters(this::words);
  private final Parameters disposition = new Parameters(this::words);
  private Kind kind = Kind.PLAIN;
  private Encoding encoding = Encoding.IDENTITY;
  private boolean digest;
  private boolean typed;
  private boolean encoded;
  private boolean disposed;
  private boolean twice;
  private boolean bare;

  /** A calendar or an address card. */
  private boolean card;

  private boolean xml;
  private boolean attachment;
  private boolean report;
  private boolean table;

  private EncodedWords words() {
    EncodedWords reader = words == null ? new EncodedWords() : words;
    words = reader;
    return reader;
  }

  private static byte[] octets(String word) {
    return word.getBytes(ISO_8859_1);
  }

  /**
   * Begins a block.
   *
   * @param inDigest true when a part without a type is a mail
   */
  void reset(boolean inDigest) {
    type.reset();
    disposition.reset();
    kind = inDigest ? Kind.MESSAGE : Kind.PLAIN;
    encoding = Encoding.IDENTITY;
    digest = false;
    typed = false;
    encoded = false;
    disposed = false;
    twice = false;
    bare = false;
    card = false;
    xml = false;
    attachment = false;
    report = false;
    table = false;
  }

  Kind kind() {
    if (kind != Kind.OTHER && kind != Kind.PLAIN) {
      return kind;
    }
    return switch (file()) {
      case PAGE -> Kind.HTML;
      case CARD, TEXT -> Kind.PLAIN;
      case MAIL, DOCUMENT -> kind;
      case null -> kind;
    };
  }

  /**
   * The forms that a text is read in: what its type says, and then what its file name does, because
   * some mail clients go by the one and some by the other. Empty for a leaf that is no text.
   */
  List<TextForm> forms() {
    List<TextForm> typed =
        switch (kind) {
          case PLAIN -> texts();
          case HTML -> xml ? TextForm.PAGES_OF_XML : TextForm.PAGES;
          case MULTIPART, MESSAGE, OTHER -> xml ? TextForm.DOCUMENTS : TextForm.NONE;
        };
    AttachedFile file = file();
    if (file == null || typed.containsAll(file.forms())) {
      return typed;
    }
    Set<TextForm> all = new LinkedHashSet<>(typed);
    all.addAll(file.forms());
    return List.copyOf(all);
  }

  private List<TextForm> texts() {
    if (card) {
      return TextForm.CARDS;
    }
    if (xml) {
      return TextForm.TEXTS_OF_XML;
    }
    return type.joinsLines() ? TextForm.FLOWED_TEXTS : TextForm.TEXTS;
  }

  private @Nullable AttachedFile file() {
    return AttachedFile.first(disposition.file(), type.file());
  }

  /** True for the file of a mail that says another type: a leaf with a mail in it. */
  boolean isMailFile() {
    return kind == Kind.OTHER && file() == AttachedFile.MAIL;
  }

  /**
   * True for a text about other mails: the part of a report, and the list of addresses or the mail
   * that somebody attached to show it. Nobody reads it as the text of this mail; a mail that is
   * nothing else would be read so.
   *
   * @param depth multiparts and mails around it
   */
  boolean isAboutMails(int depth) {
    boolean sample = kind == Kind.PLAIN && file() == AttachedFile.MAIL;
    return depth > 0 && (report || (attachment && (table || sample)));
  }

  /** True when the mail says that the body is a file, named or not. */
  boolean isAttachment() {
    return attachment;
  }

  /** The multipart has no parts: it is text. */
  void takeForText() {
    kind = Kind.PLAIN;
  }

  Encoding encoding() {
    return encoding;
  }

  /** True when the body is neither Base64 nor quoted-printable. */
  boolean isPlain() {
    return encoding == Encoding.IDENTITY || encoding == Encoding.UNKNOWN;
  }

  boolean isDigest() {
    return digest;
  }

  /** True when the block has two Content-Type or Content-Transfer-Encoding fields. */
  boolean isTwice() {
    return twice;
  }

  /** True for a multipart without a boundary, which is read as text. */
  boolean isWithoutBoundary() {
    return bare;
  }

  byte @Nullable [] boundary() {
    return type.boundary();
  }

  /** Other boundaries that some readers find in the same field. */
  List<byte[]> otherBoundaries() {
    return type.otherBoundaries();
  }

  @Nullable String charset() {
    return type.charset();
  }

  /** True when the body has a file name. */
  boolean isNamed() {
    return type.isNamed() || disposition.isNamed();
  }

  /** Takes the body of a field. */
  void field(FieldName name, byte[] octets, int from, int to) {
    switch (name) {
      case CONTENT_TYPE -> type(octets, from, to);
      case CONTENT_TRANSFER_ENCODING -> encoding(octets, from, to);
      case CONTENT_DISPOSITION -> {
        if (!disposed) {
          disposed = true;
          int begin = skip(octets, from, to);
          attachment = Octets.isLower(octets, begin, wordEnd(octets, begin, to), ATTACHMENT);
          disposition.read(octets, from, to);
        }
      }
      default -> {}
    }
  }

  private void type(byte[] octets, int from, int to) {
    if (typed) {
      twice = true;
      return;
    }
    int begin = skip(octets, from, to);
    int end = wordEnd(octets, begin, to);
    int slash = Octets.indexOf((byte) '/', octets, begin, end);
    if (slash <= begin || slash == end - 1) {
      return;
    }
    type.reset();
    type.read(octets, end, to);
    bare = false;
    if (Octets.startsWithLower(octets, begin, end, MULTIPART)) {
      type.plainBoundaries(octets, end, to);
      if (type.boundary() == null) {
        bare = true;
        return;
      }
      digest = Octets.isLower(octets, begin, end, DIGEST);
    }
    card = isOne(CARDS, octets, begin, end);
    report = isOne(REPORTS, octets, begin, end);
    table = isOne(TABLES, octets, begin, end);
    xml =
        Octets.isLower(octets, begin, end, XML_OF_APPLICATION)
            || Octets.isLower(octets, begin, end, XML_OF_TEXT)
            || Octets.isLower(octets, Math.max(begin, end - XML_OF_ANY.length), end, XML_OF_ANY);
    kind = card ? Kind.PLAIN : kind(octets, begin, end);
    typed = true;
  }

  private static boolean isOne(byte[][] names, byte[] octets, int from, int to) {
    for (byte[] name : names) {
      if (Octets.isLower(octets, from, to, name)) {
        return true;
      }
    }
    return false;
  }

  private static Kind kind(byte[] octets, int from, int to) {
    if (Octets.startsWithLower(octets, from, to, MULTIPART)) {
      return Kind.MULTIPART;
    }
    if (Octets.isLower(octets, from, to, HTML)
        || Octets.isLower(octets, from, to, AMP)
        || Octets.isLower(octets, from, to, SVG)
        || Octets.isLower(octets, from, to, XHTML)) {
      return Kind.HTML;
    }
    if (Octets.isLower(octets, from, to, MAIL) || Octets.isLower(octets, from, to, GLOBAL_MAIL)) {
      return Kind.MESSAGE;
    }
    // Other messages, such as reports and fragments (message/partial), are shown as text.
    return Octets.startsWithLower(octets, from, to, TEXT)
            || Octets.startsWithLower(octets, from, to, MESSAGE)
            || Octets.isLower(octets, from, to, RICH)
        ? Kind.PLAIN
        : Kind.OTHER;
  }

  private void encoding(byte[] octets, int from, int to) {
    int begin = skip(octets, from, to);
    int end = wordEnd(octets, begin, to);
    if (begin == end) {
      return;
    }
    if (encoded) {
      twice = true;
      return;
    }
    encoded = true;
    if (Octets.isLower(octets, begin, end, BASE64)) {
      encoding = Encoding.BASE64;
    } else if (Octets.isLower(octets, begin, end, QUOTED)) {
      encoding = Encoding.QUOTED_PRINTABLE;
    } else {
      encoding = Encoding.UNKNOWN;
      for (byte[] identity : IDENTITIES) {
        if (Octets.isLower(octets, begin, end, identity)) {
          encoding = Encoding.IDENTITY;
        }
      }
      encoded = encoding == Encoding.IDENTITY;
    }
  }

  /** Behind white space, comments and a quote. */
  private static int skip(byte[] octets, int from, int to) {
    int comments = 0;
    int i = from;
    for (; i < to; i++) {
      byte octet = octets[i];
      if (octet == '(') {
        comments++;
      } else if (octet == ')' && comments > 0) {
        comments--;
      } else if (comments == 0 && !Boundaries.isBlank(octet) && octet != '"') {
        break;
      }
    }
    return i;
  }

  private static int wordEnd(byte[] octets, int from, int to) {
    int i = from;
    while (i < to
        && !Boundaries.isBlank(octets[i])
        && octets[i] != ';'
        && octets[i] != '"'
        && octets[i] != ',') {
      if (octets[i] == '(') {
        break;
      }
      i++;
    }
    return i;
  }
}
