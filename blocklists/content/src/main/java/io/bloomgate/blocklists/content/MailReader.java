package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.blocklists.campaign.BodyPrint;
import io.bloomgate.blocklists.campaign.MailPrint;
import io.bloomgate.blocklists.content.ContentKey.Place;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.Fingerprint;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Reads one mail while its octets pass, and says what it carries: one reading, by the RFCs of mail
 * and by WHATWG, in linear time. Sessions and {@code explain} make one for each mail and use it on
 * one thread. It has no clock and no file.
 *
 * <p>mime4j and jsoup pull, sessions push: a mail of up to {@link #MAX_WAITING_OCTETS} waits for
 * its end, so most take no second thread; a larger one is read by a separate thread that runs only
 * while {@link #put} waits for it. Where only the shape is watched, nothing is kept of a mail whose
 * header says that it has one part.
 */
public final class MailReader implements AutoCloseable {

  /** Octets of a mail that are kept until its end, before a thread reads it. */
  public static final int MAX_WAITING_OCTETS = 64 * 1024;

  /** Octets of memory of a reader at the first octet of a mail, about. */
  private static final long FIRST_OCTETS = 8 * 1024;

  private static final byte[] MULTIPART = "multipart".getBytes(US_ASCII);
  private static final byte[] MESSAGE = "message".getBytes(US_ASCII);

  private static final MailEvidence ONE_PART = onePart(false);

  private final MimeLimits limits;
  private final Set<Check> wanted;
  private final long seed;
  private final boolean isReport;
  private final Executor threads;
  private final @Nullable BodyPrint body;

  /** {@code null} until something is read: a mail of one part may need no reading. */
  private @Nullable MimeWalk walk;

  private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();
  private @Nullable Feed feed;

  /** Nothing is wanted, and the header says that no more can be found. */
  private boolean needsNoReading;

  private boolean ended;

  /**
   * Waits for the first octet.
   *
   * @param limits of the shape of the mail
   * @param wanted of {@link Check#OF_CONTENT}: what is not wanted is not computed; with none only
   *     the shape is watched
   * @param seed of this gateway, for the likeness of bodies; secret
   * @param isReport true for a mail with the null sender, which tells of another one
   * @param threads runs the reading of a mail beyond {@link #MAX_WAITING_OCTETS} on another thread
   */
  public MailReader(
      MimeLimits limits, Set<Check> wanted, long seed, boolean isReport, Executor threads) {
    this.limits = limits;
    this.wanted = Set.copyOf(wanted);
    this.seed = seed;
    this.isReport = isReport;
    this.threads = threads;
    this.body = wanted.contains(Check.BODY) ? new BodyPrint(seed) : null;
  }

  private MimeWalk walk() {
    MimeWalk begun = walk;
    if (begun == null) {
      MailKeys keys = new MailKeys(wanted);
      begun = new MimeWalk(limits, keys, body, isReport);
      walk = begun;
    }
    return begun;
  }

  /**
   * Takes the next octets of the message, header first, without the dots that SMTP adds; any cut,
   * any octets.
   *
   * @param octets read only during the call
   */
  public void put(byte[] octets, int offset, int length) {
    Feed open = feed;
    if (wanted.isEmpty() && waiting.size() == 0 && open == null && !needsNoReading) {
      needsNoReading = isOnePart(octets, offset, offset + length, limits, false);
    }
    if (needsNoReading) {
      return;
    }
    if (open != null) {
      open.put(octets, offset, length);
    } else if (waiting.size() + length <= MAX_WAITING_OCTETS) {
      waiting.write(octets, offset, length);
    } else {
      Feed begun = new Feed();
      feed = begun;
      MimeWalk reading = walk();
      threads.execute(() -> begun.run(() -> reading.run(begun)));
      byte[] before = waiting.toByteArray();
      waiting.reset();
      begun.put(before, 0, before.length);
      begun.put(octets, offset, length);
    }
  }

  /** Returns what the octets showed so far. The body's text has no fingerprint before its end. */
  public MailEvidence soFar() {
    if (feed == null) {
      MailReader beginning = new MailReader(limits, wanted, seed, isReport, threads);
      beginning.walk().run(new ByteArrayInputStream(waiting.toByteArray()));
      return beginning.evidence(MailPrint.NONE, List.of());
    }
    walk().readOpen();
    return evidence(MailPrint.NONE, List.of());
  }

  /** Octets of memory that the reading takes, about. */
  public long keptOctets() {
    if (needsNoReading) {
      return 0;
    }
    return FIRST_OCTETS
        + waiting.size()
        + (walk == null || (feed == null && !ended) ? 0 : walk.octets())
        + (body == null ? 0 : body.keptOctets());
  }

  /** Octets of memory that the next call takes while it reads a page that ends with it, about. */
  public long pageOctets() {
    return walk == null || feed == null || ended ? 0 : walk.pageOctets();
  }

  /** Ends the mail; called once. What is still open, such as a multipart, ends with it. */
  public MailEvidence end() {
    Feed open = feed;
    ended = true;
    if (open == null) {
      byte[] mail = waiting.toByteArray();
      if (needsNoReading || (wanted.isEmpty() && isOnePart(mail, 0, mail.length, limits, true))) {
        return isReport ? onePart(true) : ONE_PART;
      }
      walk().run(new ByteArrayInputStream(mail));
    } else {
      open.end();
    }
    List<Fingerprint> files = walk().keys().files();
    if (body == null) {
      return evidence(new MailPrint(null, null, files), List.of());
    }
    BodyPrint.Prints of = body.end();
    List<ContentKey> prints = new ArrayList<>(6);
    if (of.exact() != null) {
      prints.add(new ContentKey(Check.BODY, of.exact(), Place.OPEN));
    }
    if (of.likeness() != null) {
      prints.add(new ContentKey(Check.BODY, of.likeness(), Place.OPEN));
      of.likeness()
          .bands()
          .forEach(band -> prints.add(new ContentKey(Check.BODY, band, Place.OPEN)));
    }
    return evidence(new MailPrint(of.exact(), of.likeness(), files), prints);
  }

  /**
   * True for a mail of one part within all limits, of whose shape nothing more can be known: no
   * line of its header can say otherwise. False where that needs a reading.
   *
   * @param whole true when nothing follows, so that a mail without an empty line is all header
   */
  private static boolean isOnePart(
      byte[] mail, int from, int to, MimeLimits limits, boolean whole) {
    int parameters = 0;
    int addresses = 0;
    boolean lineStart = true;
    for (int i = from; i < to; i++) {
      byte octet = mail[i];
      boolean isLineEnd = octet == '\n' || (octet == '\r' && i + 1 < to && mail[i + 1] == '\n');
      if (lineStart && isLineEnd) {
        return true;
      }
      lineStart = octet == '\n';
      parameters += octet == ';' ? 1 : 0;
      addresses += octet == ',' || lineStart ? 1 : 0;
      boolean isOdd = octet == '\\' || ((octet | 0x20) == 'm' && mayBeType(mail, i, to));
      if (isOdd || parameters > limits.parameters() || addresses >= limits.addressFields()) {
        return false;
      }
    }
    return whole;
  }

  /** True where the type of a multipart or of a mail may begin; Message-ID is none. */
  private static boolean mayBeType(byte[] mail, int at, int to) {
    return begins(mail, at, to, MULTIPART)
        || (begins(mail, at, to, MESSAGE)
            && (at + MESSAGE.length == to || mail[at + MESSAGE.length] != '-'));
  }

  private static boolean begins(byte[] mail, int at, int to, byte[] lowerCase) {
    boolean is = to - at >= lowerCase.length;
    for (int i = 0; is && i < lowerCase.length; i++) {
      is = (mail[at + i] | 0x20) == lowerCase[i];
    }
    return is;
  }

  private static MailEvidence onePart(boolean answers) {
    return new MailEvidence(
        List.of(), 1, 0, List.of(), false, false, answers, "", "", MailPrint.NONE);
  }

  private MailEvidence evidence(MailPrint print, List<ContentKey> more) {
    MimeWalk done = walk();
    MailKeys keys = done.keys();
    List<ContentKey> all = new ArrayList<>(keys.all());
    all.addAll(more);
    return new MailEvidence(
        all,
        done.parts(),
        done.deepest(),
        keys.notes(),
        keys.isLimited(),
        keys.isMalformed(),
        done.answers(),
        keys.shown("from"),
        keys.shown("subject"),
        print);
  }

  /**
   * The first limit that the mail passed, {@code null} for none; of a small mail at its end. The
   * rest of such a mail can still be put in, and is not read.
   */
  public @Nullable MimeExcess excess() {
    return walk == null ? null : walk.excess();
  }

  /** Ends the reading of a mail that was broken off. */
  @Override
  public void close() {
    Feed open = feed;
    if (open != null && !ended) {
      ended = true;
      open.end();
    }
  }
}
