package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.blocklists.campaign.BodyPrint;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.blocklists.content.PartHead.Form;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Fingerprint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.io.MaxHeaderLengthLimitException;
import org.apache.james.mime4j.stream.BodyDescriptor;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;
import org.apache.james.mime4j.stream.RecursionMode;
import org.jspecify.annotations.Nullable;

/**
 * Walks through one mail as mime4j divides it into parts (RFC 2045 and 2046), and hands fields,
 * texts and files on. Made by {@link MailReader}; runs on one thread, to the end of its octets.
 */
final class MimeWalk {

  /**
   * Multiparts and mails around a part that is read as such: mime4j looks at each octet once for
   * each of them. What is deeper is read as one text.
   */
  static final int MAX_DEPTH = 20;

  /** Octets of one header block, as of the mail's own by {@code limits.header_size}. */
  static final int MAX_HEADER_OCTETS = 1 << 20;

  /** Attached mails, as files, inside each other. */
  private static final int MAX_FILES = 2;

  /** Octets of an attachment that has a fingerprint; shorter ones are alike by nature. */
  private static final int LEAST_ATTACHMENT = 64;

  private static final Set<String> ENCODINGS =
      Set.of("7bit", "8bit", "binary", "base64", "quoted-printable");

  private static final MimeConfig CONFIG =
      MimeConfig.custom()
          .setMaxLineLen(-1)
          .setMaxHeaderCount(-1)
          .setMaxHeaderLen(MAX_HEADER_OCTETS)
          .setMaxContentLen(-1)
          // A body right behind the header: Postfix adds the empty line, so that programs show it.
          .setMalformedHeaderStartsBody(true)
          .build();

  private static final Pattern DEEPER =
      Pattern.compile("(?im)^content-type:\\s*+(?:multipart/|message/(?:rfc822|global))");

  private final MimeLimits limits;
  private final MailKeys keys;
  private final Links links;
  private final HeaderKeys header;
  private final Texts texts;
  private final DecodeMonitor monitor = new Monitor();
  private final byte[] buffer = new byte[8 * 1024];
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private @Nullable PartHead open;
  private @Nullable MimeExcess excess;
  private boolean partless;
  private boolean answers;
  private final StringBuilder recipients = new StringBuilder();
  private final AtomicInteger encodedLeft = new AtomicInteger(EncodedWords.MAX_IN_PARAMETERS);
  private int files;
  private int parts;
  private int deepest;
  private int depth;
  private int nested;
  private int textRead;

  /**
   * Nothing was read yet.
   *
   * @param answers true for a mail that quotes another one whatever its header says
   */
  MimeWalk(MimeLimits limits, MailKeys keys, @Nullable BodyPrint body, boolean answers) {
    this.limits = limits;
    this.keys = keys;
    this.links = new Links(keys);
    this.header = new HeaderKeys(keys, links);
    this.texts = new Texts(keys, links, body, recipients);
    this.answers = answers;
  }

  /** Notes what mime4j takes in spite of the rules. */
  private final class Monitor extends DecodeMonitor {
    @Override
    public boolean warn(String error, String dropped) {
      keys.odd(Oddity.BROKEN_MIME);
      return false;
    }

    @Override
    public boolean isListening() {
      return true;
    }
  }

  MailKeys keys() {
    return keys;
  }

  int parts() {
    return parts;
  }

  int deepest() {
    return deepest;
  }

  boolean answers() {
    return answers;
  }

  /** The first limit that was passed, behind which nothing is read; {@code null} for none. */
  @Nullable MimeExcess excess() {
    return excess;
  }

  /** Octets of memory that the reading takes, about. */
  long octets() {
    return keys.octets() + links.octets() + text.size();
  }

  /** Octets of memory that the page which is open takes while it is read, about. */
  long pageOctets() {
    PartHead head = open;
    boolean isPage = head != null && (head.form() == Form.PAGE || head.form() == Form.XML);
    return isPage ? PageText.TREE_OCTETS * Math.min(text.size(), MailKeys.MAX_TEXT_OCTETS) : 0;
  }

  /** Reads a whole mail. */
  void run(InputStream octets) {
    try {
      walk(octets);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void walk(InputStream octets) throws IOException {
    EncodedWords.Fields builder = new EncodedWords.Fields(encodedLeft, keys::odd);
    MimeTokenStream tokens = new MimeTokenStream(CONFIG, monitor, builder, null);
    tokens.parse(new HeaderEnd(octets, () -> keys.odd(Oddity.BROKEN_MIME)));
    int depthBefore = depth;
    boolean isMail = true;
    PartFields fields = new PartFields(keys, limits);
    try {
      for (EntityState state = tokens.getState();
          state != EntityState.T_END_OF_STREAM && excess == null;
          state = tokens.next()) {
        switch (state) {
          case T_START_MESSAGE -> {
            isMail = true;
            if (parts > 0) {
              depth++;
              nested++;
            }
          }
          case T_START_BODYPART -> {
            isMail = false;
            partless = false;
          }
          case T_START_HEADER -> {
            builder.begin();
            fields = new PartFields(keys, limits);
            part();
          }
          case T_FIELD -> field(tokens.getField(), fields, isMail);
          case T_END_HEADER ->
              tokens.setRecursionMode(
                  depth >= MAX_DEPTH ? RecursionMode.M_FLAT : RecursionMode.M_RECURSE);
          case T_START_MULTIPART -> {
            depth++;
            partless = true;
          }
          case T_END_MULTIPART -> {
            depth--;
            if (partless) {
              keys.odd(Oddity.BROKEN_MIME); // its boundary is another one for somebody
            }
            partless = false;
          }
          case T_END_MESSAGE -> {
            if (nested > 0 && depth > depthBefore) {
              depth--;
              nested--;
            }
          }
          case T_BODY -> body(tokens, fields);
          case T_PREAMBLE, T_EPILOGUE, T_END_BODYPART, T_RAW_ENTITY, T_END_OF_STREAM -> {}
        }
      }
    } catch (MaxHeaderLengthLimitException e) {
      keys.odd(Oddity.LONG_HEADER);
    } catch (MimeException e) {
      keys.odd(Oddity.BROKEN_MIME);
    }
  }

  private void part() {
    parts++;
    deepest = Math.max(deepest, depth);
    if (parts > limits.parts()) {
      excess = new MimeExcess(MimeExcess.What.PARTS, limits.parts());
    } else if (depth > limits.depth()) {
      excess = new MimeExcess(MimeExcess.What.DEPTH, limits.depth());
    }
  }

  private void field(Field field, PartFields fields, boolean isMail) {
    String name = field.getNameLowerCase();
    boolean isRead =
        switch (name) {
          case "from", "reply-to", "sender", "to", "cc", "bcc", "subject" -> true;
          case "in-reply-to", "references", "list-unsubscribe" -> true;
          default -> name.startsWith("content-") || name.startsWith("resent-");
        };
    if (!isRead) {
      return;
    }
    byte[] raw = field.getRaw().toByteArray();
    String whole = Charsets.guessed(raw, raw.length);
    String body = whole.substring(whole.indexOf(':') + 1).replaceAll("[\\r\\n]", "").strip();
    excess = excess == null ? fields.field(field, name, body) : excess;
    if (name.equals("content-location") || name.equals("content-base")) {
      links.url(body, Place.NESTED);
    }
    if (isMail) {
      answers |= nested == 0 && (name.equals("in-reply-to") || name.equals("references"));
      if (nested == 0 && (name.equals("to") || name.equals("cc"))) {
        int room = Math.max(0, Quotes.MAX_RECIPIENTS - recipients.length());
        recipients.append(body, 0, Math.min(body.length(), room)).append(' ');
      }
      header.field(name, body, nested > 0 ? Place.NESTED : Place.OPEN);
    }
  }

  private void body(MimeTokenStream tokens, PartFields fields) throws IOException {
    BodyDescriptor described = tokens.getBodyDescriptor();
    PartHead head = fields.head(described.getMimeType());
    String encoding = word(described.getTransferEncoding());
    if (!encoding.isEmpty() && !ENCODINGS.contains(encoding)) {
      keys.odd(Oddity.UNKNOWN_ENCODING);
    }
    boolean isFlat = head.type().startsWith("multipart/") || isMail(head.type());
    if (isFlat && depth >= MAX_DEPTH) {
      keys.odd(Oddity.DEEP_PART);
    } else if (isFlat) {
      keys.odd(Oddity.NO_BOUNDARY);
    }
    Form form = isFlat ? Form.PLAIN : head.form();
    boolean isHashed = keys.wants(Check.ATTACHMENT) && head.isHashed();
    boolean isText = form != Form.NONE && form != Form.MAIL && texts.areWanted();
    if (form == Form.MAIL && files < MAX_FILES) {
      file(decoded(tokens, encoding), isHashed);
    } else if (isHashed || isText || isFlat) {
      leaf(decoded(tokens, encoding), head, isText || isFlat, isHashed);
      if (isFlat) {
        deeper();
      }
    }
  }

  /** The first word of a field, without quotes: {@code base64} of {@code "base64"; x}. */
  private static String word(String value) {
    String text = value.toLowerCase(Locale.ROOT).replace("\"", "").strip();
    int end = 0;
    while (end < text.length() && " \t;(".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    return text.substring(0, end);
  }

  private InputStream decoded(MimeTokenStream tokens, String encoding) {
    InputStream octets = tokens.getInputStream();
    Runnable broken = () -> keys.odd(Oddity.BROKEN_ENCODING);
    return switch (encoding) {
      case "base64" -> new Base64Octets(octets, broken);
      case "quoted-printable" -> new QuotedOctets(octets, broken);
      default -> octets;
    };
  }

  private static boolean isMail(String type) {
    return type.equals("message/rfc822") || type.equals("message/global");
  }

  /** A mail that is attached as a file. */
  private void file(InputStream octets, boolean isHashed) throws IOException {
    Place place = nested > 0 ? Place.NESTED : Place.OPEN;
    HashedOctets hashed = new HashedOctets(octets, Fingerprint.sha256());
    files++;
    depth++;
    nested++;
    walk(hashed);
    depth--;
    nested--;
    files--;
    hashed.transferTo(OutputStream.nullOutputStream());
    if (isHashed) {
      file(hashed, place);
    }
  }

  private void file(HashedOctets octets, Place place) {
    if (octets.count >= LEAST_ATTACHMENT) {
      keys.file(Fingerprint.of(octets.getMessageDigest().digest()), octets.count, place);
    }
  }

  /** The octets of a file, digested and counted while they are read. */
  private static final class HashedOctets extends DigestInputStream {
    private long count;

    HashedOctets(InputStream octets, MessageDigest digest) {
      super(octets, digest);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int read = super.read(into, offset, length);
      count += Math.max(0, read);
      return read;
    }
  }

  private void leaf(InputStream octets, PartHead head, boolean isText, boolean isHashed)
      throws IOException {
    Place place = nested > 0 || (depth > 0 && head.isAboutMails()) ? Place.NESTED : Place.OPEN;
    HashedOctets hashed = isHashed ? new HashedOctets(octets, Fingerprint.sha256()) : null;
    InputStream all = hashed == null ? octets : hashed;
    text.reset();
    textRead = 0;
    open = isText ? head : null;
    int taken = 1;
    for (int read = all.read(buffer); read >= 0; read = all.read(buffer)) {
      if (open != null && taken > 0) {
        taken = keys.take(read);
        text.write(buffer, 0, taken);
      }
      if (hashed == null && taken == 0) {
        break;
      }
    }
    if (isText) {
      boolean prints = nested == 0 && head.fileName().isEmpty();
      texts.read(text.toByteArray(), text.size(), head, place, answers, prints);
    }
    open = null;
    if (hashed != null) {
      file(hashed, place);
    }
  }

  /** The shape of what is read as one text: each header of a multipart may be one deeper. */
  private void deeper() {
    long more = DEEPER.matcher(text.toString(ISO_8859_1)).results().count();
    if (depth + more > limits.depth() && excess == null) {
      excess = new MimeExcess(MimeExcess.What.DEPTH, limits.depth());
    }
  }

  /** Reads the text that is open as far as it came, for a mail that cannot wait for its end. */
  void readOpen() {
    PartHead head = open;
    if (head != null && text.size() > textRead) {
      textRead = text.size();
      Place place = nested > 0 || (depth > 0 && head.isAboutMails()) ? Place.NESTED : Place.OPEN;
      texts.read(text.toByteArray(), text.size(), head, place, answers, false);
    }
  }
}
