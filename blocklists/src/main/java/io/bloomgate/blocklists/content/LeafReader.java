package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.bloomgate.blocklists.content.PartHead.Kind;
import io.bloomgate.blocklists.decision.ContentKey.Place;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.WebUrl;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the leaves of a mail one after the other: undoes the transfer encoding, finds URLs in
 * texts, takes the fingerprint of the visible text and of attachments; only what is wanted. Used by
 * {@link MimeSplitter} on the thread of the mail, made by {@link MailScanner}.
 *
 * <p>A text that mail clients read in different ways, by its type, its file name or its charset, is
 * read in each of these.
 */
final class LeafReader implements MimeHandler {

  /**
   * Encoded mails inside each other that are looked into: every level decodes all octets again. RFC
   * 2046 section 5.2.1 allows none.
   */
  static final int MOST_ENCODED = 2;

  /** Octets of an attachment that has a fingerprint; shorter ones are alike by nature. */
  static final int LEAST_ATTACHMENT = 64;

  /** Octets of memory that one more reader takes, about. */
  private static final int OCTETS_AGAIN = 8 * 1024;

  private final MailContext mail;
  private final HeaderKeys header;
  private final int encoded;
  private final TransferDecoder decoder = new TransferDecoder(this::decoded, TransferDecoder.BODY);

  /** Readers of the same leaves for which their blocks say something else. */
  private final List<LeafReader> again = new ArrayList<>(0);

  /** How many of them read the leaf that is open. */
  private int rereading;

  /** One of these, or in a mail of one: nothing in it is read once more. */
  private final boolean isAgain;

  /** One of these: the first reading of its texts counts, too. */
  private final boolean isFurther;

  /** Readings of this reader that {@link MailShape#beginFurther} counts. */
  private int further;

  /** The first is of the mail, the others beside it. */
  private final List<TextReading> readings = new ArrayList<>(1);

  private @Nullable OtherCharset other;
  private @Nullable Urls headerUrls;
  private @Nullable MessageDigest digest;
  private @Nullable MimeSplitter inner;

  /** What links of a part are relative to, and the part. */
  private @Nullable WebUrl location;

  private int locationOf;
  private TextPlace textPlace = TextPlace.of(false);
  private List<TextForm> forms = TextForm.NONE;
  private @Nullable String charset;

  /** Readings of the text that is open. */
  private int open;

  private boolean hashing;
  private long length;
  private Position position = Position.FIRST;
  private Place place = Place.OPEN;

  /**
   * A reader.
   *
   * @param encoded encoded mails around its leaves
   */
  LeafReader(MailContext mail, int encoded) {
    this(mail, encoded, false, false);
  }

  private LeafReader(MailContext mail, int encoded, boolean isAgain, boolean isFurther) {
    this.mail = mail;
    this.encoded = encoded;
    this.isAgain = isAgain;
    this.isFurther = isFurther;
    this.header = new HeaderKeys(mail.keys());
  }

  @Override
  public MimeHandler beside() {
    return new LeafReader(mail.beside(), encoded, isAgain, false);
  }

  @Override
  public void field(FieldName name, byte[] octets, int from, int to, Position at) {
    switch (name) {
      case CONTENT_LOCATION, CONTENT_BASE -> {
        String value = new String(octets, from, to - from, ISO_8859_1);
        location = WebUrl.asked(value.strip()).orElse(location);
        locationOf = at.part();
        inHeader(at, found -> found.mention(value));
      }
      case IN_REPLY_TO, REFERENCES -> {
        if (at.message() && at.nested() == 0) {
          mail.answersAnother();
        }
      }
      case LIST_UNSUBSCRIBE -> {
        if (at.message()) {
          int begin = Octets.indexOf((byte) '<', octets, from, to);
          while (begin >= 0) {
            int end = Octets.indexOf((byte) '>', octets, begin, to);
            link(octets, begin + 1, end < 0 ? to : end, at);
            begin = end < 0 ? -1 : Octets.indexOf((byte) '<', octets, end, to);
          }
        }
      }
      default -> header.field(name, octets, from, to, at);
    }
  }

  private void link(byte[] octets, int from, int to, Position at) {
    inHeader(at, found -> found.link(new String(octets, from, to - from, ISO_8859_1)));
  }

  private void inHeader(Position at, Consumer<Urls> by) {
    if (!mail.wantsUrls()) {
      return;
    }
    Urls found = headerUrls == null ? new Urls(mail.keys(), mail.urlsLeft()) : headerUrls;
    headerUrls = found;
    found.start(false, TextPlace.of(at.nested() > 0));
    by.accept(found);
    found.end();
  }

  @Override
  public void skipped(Skipped what) {
    mail.keys().skipped(what);
  }

  @Override
  public void begin(PartHead head, Position at, boolean whole) {
    position = at;
    place = at.nested() > 0 ? Place.NESTED : Place.OPEN;
    Kind kind = head.kind();
    boolean isText = kind == Kind.PLAIN || kind == Kind.HTML;
    inner = null;
    open = 0;
    boolean isFile = head.isNamed() || (isText && head.isAttachment());
    hashing = whole && mail.wantsHash() && (kind == Kind.OTHER || isFile);
    if (kind == Kind.MESSAGE || head.isMailFile()) {
      mail(at);
    }
    forms = mail.wantsText() ? head.forms() : TextForm.NONE;
    if (!forms.isEmpty() && (!isFurther || beginFurther())) {
      text(head);
    }
    if (hashing) {
      length = 0;
      if (digest == null) {
        digest = sha256();
      } else {
        digest.reset();
      }
    }
    if (isRead()) {
      if (head.encoding() == PartHead.Encoding.UNKNOWN) {
        skipped(Skipped.UNKNOWN_ENCODING);
      }
      decoder.start(head.encoding());
    }
    again(head.others(), at, whole);
    moreForms();
    for (int i = 0; i < rereading; i++) {
      again.get(i).moreForms(); // behind a reading in each encoding
    }
  }

  /** Some readers take the type or the encoding for another one. */
  private void again(List<PartHead> heads, Position at, boolean whole) {
    rereading = isAgain ? 0 : heads.size();
    for (int i = 0; i < rereading; i++) {
      if (i == again.size()) {
        again.add(new LeafReader(mail.beside(), encoded, true, true));
        mail.shape().keep(OCTETS_AGAIN);
      }
      again.get(i).begin(heads.get(i), at, whole);
    }
  }

  private boolean isRead() {
    return open > 0 || hashing || inner != null;
  }

  /** An encoded mail: others than encoded ones are split where they are. */
  private void mail(Position at) {
    if (encoded == MOST_ENCODED) {
      skipped(Skipped.ENCODED_MAILS);
      return;
    }
    if (isFurther && !beginFurther()) {
      return;
    }
    inner =
        new MimeSplitter(
            mail.limits(),
            new LeafReader(mail, encoded + 1, isAgain, false),
            mail.shape(),
            mail.seed(),
            new Position(at.depth() + 1, at.nested() + 1, 0, true));
  }

  private void text(PartHead head) {
    boolean prints = position.nested() == 0 && !head.isNamed();
    textPlace =
        new TextPlace(
            head.isNamed() || head.isAttachment(),
            position.nested() > 0 || head.isAboutMails(position.depth()),
            mail.isReply(),
            locationOf == position.part() ? location : null);
    charset = head.charset();
    reading().start(forms.getFirst(), charset, false, textPlace, prints);
    OtherCharset found = other == null ? new OtherCharset() : other;
    other = found;
    found.start(charset, forms.getFirst().hasTags());
  }

  /** The same text in the other forms. */
  private void moreForms() {
    for (int i = 1; open > 0 && i < forms.size() && beginFurther(); i++) {
      reading().start(forms.get(i), charset, false, textPlace, false);
    }
  }

  private boolean beginFurther() {
    boolean begins = mail.shape().beginFurther();
    if (begins) {
      further++;
    } else {
      skipped(Skipped.MANY_READINGS);
    }
    return begins;
  }

  /** One more reading of the text. */
  private TextReading reading() {
    if (open == readings.size()) {
      readings.add(new TextReading(open == 0 ? mail : mail.beside()));
    }
    return readings.get(open++);
  }

  @Override
  public void put(byte[] octets, int from, int to) {
    if (isRead()) {
      decoder.put(octets, from, to);
    }
    for (int i = 0; i < rereading; i++) {
      again.get(i).put(octets, from, to);
    }
  }

  private void decoded(byte[] octets, int from, int to) {
    MimeSplitter split = inner;
    if (split != null) {
      split.put(octets, from, to);
    }
    MessageDigest hash = digest;
    if (hashing && hash != null) {
      hash.update(octets, from, to - from);
      length += to - from;
    }
    for (int i = 0; i < open; i++) {
      readings.get(i).put(octets, from, to);
    }
    OtherCharset found = other;
    if (open > 0 && found != null && found.isOpen()) {
      int taken = found.add(octets, from, to);
      if (found.isFull()) {
        inOtherCharset(found, octets, from + taken, to);
      }
    }
  }

  /** The first octets are known, and these that follow: a reading in another charset may begin. */
  private void inOtherCharset(OtherCharset found, byte[] octets, int from, int to) {
    found.close();
    String ofPage = found.ofPage();
    boolean plainly = found.isPlainly();
    if ((ofPage == null && !plainly) || !beginFurther()) {
      return;
    }
    TextReading reading = reading();
    reading.start(forms.getFirst(), ofPage, plainly, textPlace, false);
    reading.put(found.octets(), 0, found.length());
    reading.put(octets, from, to);
  }

  @Override
  public void mayEnd() {
    for (int i = 0; i < rereading; i++) {
      again.get(i).mayEnd();
    }
    MessageDigest hash = digest;
    if (hashing && hash != null && length >= LEAST_ATTACHMENT) {
      try {
        file((MessageDigest) hash.clone());
      } catch (CloneNotSupportedException e) {
        throw new IllegalStateException("SHA-256 of the JDK can be cloned", e);
      }
    }
  }

  @Override
  public void end() {
    for (int i = 0; i < rereading; i++) {
      again.get(i).end();
    }
    rereading = 0;
    endReading();
    mail.shape().endFurther(further);
    further = 0;
  }

  private void endReading() {
    if (!isRead()) {
      return;
    }
    decoder.end();
    MimeSplitter split = inner;
    if (split != null) {
      split.end();
      inner = null;
    }
    OtherCharset found = other;
    if (open > 0 && found != null && found.isOpen()) {
      inOtherCharset(found, Octets.NONE, 0, 0);
    }
    for (int i = 0; i < open; i++) {
      readings.get(i).end();
    }
    MessageDigest hash = digest;
    if (hashing && hash != null && length >= LEAST_ATTACHMENT) {
      file(hash);
    }
    open = 0;
    hashing = false;
  }

  private void file(MessageDigest hash) {
    mail.keys().file(Fingerprint.of(hash.digest()), length, place);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
