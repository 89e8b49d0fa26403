package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the Content fields of one header block say of its body. One object serves all blocks of a
 * mail. Used by {@link MimeSplitter} and {@link LeafReader}.
 *
 * <p>Of several fields of one name the first that can be read counts, as in most mail clients; that
 * there were several is noted. Some readers take the last, and some find a type or an encoding in a
 * field that others do not understand: what the block is for them is asked with {@link #leaf} and
 * {@link #container}.
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

  private static final byte[] ATTACHMENT = octets("attachment");

  private @Nullable EncodedWords words;
  private final PartType type;

  /** What some readers take for the type, {@code null} for nothing else. */
  private @Nullable PartType secondType;

  private final Parameters disposition;
  private final PartEncoding encoding;
  private boolean disposed;
  private boolean twice;
  private boolean attachment;
  private List<PartHead> others = List.of();

  PartHead() {
    type = new PartType(this::words);
    encoding = new PartEncoding();
    disposition = new Parameters(this::words);
  }

  /** One reading of a block. */
  private PartHead(PartHead of, PartType type, Encoding encoding) {
    this.type = type;
    this.encoding = new PartEncoding(encoding);
    this.disposition = of.disposition;
    this.attachment = of.attachment;
  }

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
    type.reset(inDigest);
    secondType = null;
    disposition.reset();
    encoding.reset();
    disposed = false;
    twice = false;
    attachment = false;
  }

  Kind kind() {
    Kind kind = type.kind();
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
   * What the block is for readers that find other blocks behind it: one of a multipart, or of a
   * mail that is not encoded; {@code null} when it is the block of a leaf for all.
   */
  @Nullable Kind container() {
    if (multipart() != null) {
      return Kind.MULTIPART;
    }
    boolean mail =
        isAmbiguous()
            ? readings().stream().anyMatch(reading -> reading.container() != null)
            : type.kind() == Kind.MESSAGE && encoding.isPlain();
    return mail ? Kind.MESSAGE : null;
  }

  private @Nullable PartType multipart() {
    if (type.kind() == Kind.MULTIPART) {
      return type;
    }
    PartType second = secondType;
    return second != null && second.kind() == Kind.MULTIPART ? second : null;
  }

  /** True when readers differ on the type or the encoding. */
  private boolean isAmbiguous() {
    return secondType != null || !encoding.others().isEmpty();
  }

  /**
   * What the block is for each reader: the most likely first, then each other encoding, because of
   * texts only the first {@link MailShape#MOST_FURTHER} behind it are read.
   */
  private List<PartHead> readings() {
    List<Encoding> others = encoding.others();
    PartType second = secondType;
    PartType richer = second != null && isRicher(second) ? second : type;
    List<PartHead> all = new ArrayList<>();
    all.add(new PartHead(this, type, encoding.first()));
    others.forEach(other -> all.add(new PartHead(this, richer, other)));
    if (second != null) {
      PartType poorer = richer == type ? second : type;
      all.add(new PartHead(this, second, encoding.first()));
      others.forEach(other -> all.add(new PartHead(this, poorer, other)));
    }
    return all;
  }

  /** A page gives the links of plain text, too, and any text more than a file. */
  private boolean isRicher(PartType second) {
    return second.kind() == Kind.HTML || type.kind() == Kind.OTHER;
  }

  /** The block for the first readers that take it for the one of a leaf; {@code null} for none. */
  @Nullable PartHead leaf() {
    if (!isAmbiguous()) {
      return container() == null ? this : null;
    }
    List<PartHead> leaves =
        readings().stream().filter(reading -> reading.container() == null).toList();
    if (leaves.isEmpty()) {
      return null;
    }
    PartHead first = leaves.getFirst();
    first.others = leaves.subList(1, leaves.size());
    return first;
  }

  /** The same leaf for the other readers. */
  List<PartHead> others() {
    return others;
  }

  /**
   * The forms that a text is read in: what its type says, and then what its file name does, because
   * some mail clients go by the one and some by the other. Empty for a leaf that is no text.
   */
  List<TextForm> forms() {
    List<TextForm> typed =
        switch (type.kind()) {
          case PLAIN -> texts();
          case HTML -> type.isXml() ? TextForm.PAGES_OF_XML : TextForm.PAGES;
          case MULTIPART, MESSAGE, OTHER -> type.isXml() ? TextForm.DOCUMENTS : TextForm.NONE;
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
    if (type.isCard()) {
      return TextForm.CARDS;
    }
    if (type.isXml()) {
      return TextForm.TEXTS_OF_XML;
    }
    return type.parameters().joinsLines() ? TextForm.FLOWED_TEXTS : TextForm.TEXTS;
  }

  private @Nullable AttachedFile file() {
    return AttachedFile.first(disposition.file(), type.parameters().file());
  }

  /** True for the file of a mail that says another type: a leaf with a mail in it. */
  boolean isMailFile() {
    return type.kind() == Kind.OTHER && file() == AttachedFile.MAIL;
  }

  /**
   * True for a text about other mails: the part of a report, and the list of addresses or the mail
   * that somebody attached to show it. Nobody reads it as the text of this mail; a mail that is
   * nothing else would be read so.
   *
   * @param depth multiparts and mails around it
   */
  boolean isAboutMails(int depth) {
    boolean sample = type.kind() == Kind.PLAIN && file() == AttachedFile.MAIL;
    return depth > 0 && (type.isReport() || (attachment && (type.isTable() || sample)));
  }

  /** True when the mail says that the body is a file, named or not. */
  boolean isAttachment() {
    return attachment;
  }

  /** The multipart has no parts: it is text. */
  void takeForText() {
    type.takeForText();
    secondType = null;
  }

  Encoding encoding() {
    return encoding.first();
  }

  boolean isDigest() {
    PartType found = multipart();
    return found != null && found.isDigest();
  }

  /** True when the block has two Content-Type or Content-Transfer-Encoding fields. */
  boolean isTwice() {
    return twice || encoding.isTwice();
  }

  /** True for a multipart without a boundary, which is read as text. */
  boolean isWithoutBoundary() {
    return type.isWithoutBoundary();
  }

  byte @Nullable [] boundary() {
    PartType found = multipart();
    return found == null ? null : found.parameters().boundary();
  }

  /** Other boundaries that some readers find in the same block. */
  List<byte[]> otherBoundaries() {
    PartType found = multipart();
    PartType second = secondType;
    List<byte[]> all = found == null ? List.of() : found.parameters().otherBoundaries();
    byte[] boundary = second == null || found != type ? null : second.parameters().boundary();
    if (second == null || boundary == null) {
      return all;
    }
    List<byte[]> more = new ArrayList<>(all);
    more.add(boundary);
    more.addAll(second.parameters().otherBoundaries());
    return more;
  }

  @Nullable String charset() {
    return type.parameters().charset();
  }

  /** True when the body has a file name. */
  boolean isNamed() {
    return type.parameters().isNamed() || disposition.isNamed();
  }

  /** Takes the body of a field. */
  void field(FieldName name, byte[] octets, int from, int to) {
    switch (name) {
      case CONTENT_TYPE -> type(octets, from, to);
      case CONTENT_TRANSFER_ENCODING -> encoding.read(octets, from, to);
      case CONTENT_DISPOSITION -> {
        if (!disposed) {
          disposed = true;
          int begin = PartType.skip(octets, from, to, false);
          int end = PartType.wordEnd(octets, begin, to, false);
          attachment = Octets.isLower(octets, begin, end, ATTACHMENT);
        }
        disposition.read(octets, from, to); // of several names the one that is opened with more
      }
      default -> {}
    }
  }

  private void type(byte[] octets, int from, int to) {
    if (type.isKnown()) {
      twice = true;
      second(octets, from, to, false);
    } else if (!type.read(octets, from, to)) {
      second(octets, from, to, true);
    }
  }

  /** What readers take for the type that go on to the last field, or read one more loosely. */
  private void second(byte[] octets, int from, int to, boolean loosely) {
    PartType second = new PartType(this::words);
    boolean plain = !loosely && second.read(octets, from, to);
    if (!plain) {
      second.readLoosely(octets, from, to);
    }
    if (second.isKnown() && !second.isLike(type)) {
      secondType = second;
    }
  }
}
