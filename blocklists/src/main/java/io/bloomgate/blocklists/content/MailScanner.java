package io.bloomgate.blocklists.content;

import io.bloomgate.blocklists.campaign.BodyPrint;
import io.bloomgate.blocklists.campaign.BodyPrints;
import io.bloomgate.blocklists.campaign.MailPrint;
import io.bloomgate.blocklists.decision.ContentKey;
import io.bloomgate.blocklists.decision.ContentKey.Place;
import io.bloomgate.config.settings.Check;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads one mail while its octets pass, and says what it carries. Octets are looked at once, in
 * time that grows with their number alone; nothing of the mail is kept but the keys found, one
 * header field and a few lines. Sessions and {@code explain} make one for each mail and use it on
 * one thread; it has no clock and no file.
 *
 * <p>This is evidence, no boundary: mail clients differ in how they read what is malformed. Where
 * they are known to, {@link MailEvidence#notLookedAt} says so.
 */
public final class MailScanner {

  /** Octets of memory of a reader at the first octet of a mail, about. */
  private static final long FIRST_OCTETS = 8 * 1024;

  private final MailContext mail;
  private final EvidenceKeys keys;
  private final MimeSplitter splitter;
  private final BodyPrints bodies;
  private final @Nullable BodyPrint body;

  /**
   * Waits for the first octet.
   *
   * @param limits of the shape of the mail
   * @param wanted of {@link Check#OF_CONTENT}: what is not wanted is not computed; with none only
   *     the shape is watched
   * @param seed of this gateway, for the likeness of bodies; secret
   */
  public MailScanner(MimeLimits limits, Set<Check> wanted, long seed) {
    this(limits, wanted, seed, null);
  }

  /**
   * The same, with the lists that rule on the mail.
   *
   * @param live asked about what is behind the bounds of {@link EvidenceKeys}; {@code null} for
   *     nobody, then {@link MailEvidence#notLookedAt} says so
   */
  public MailScanner(MimeLimits limits, Set<Check> wanted, long seed, @Nullable LiveLists live) {
    this(limits, wanted, new BodyPrints(seed), live);
  }

  /**
   * The same for many mails.
   *
   * @param bodies with the seed of this gateway
   */
  public MailScanner(
      MimeLimits limits, Set<Check> wanted, BodyPrints bodies, @Nullable LiveLists live) {
    this.bodies = bodies;
    long seed = bodies.seed();
    keys = new EvidenceKeys(wanted, live);
    body = wanted.contains(Check.BODY) ? bodies.take() : null;
    mail = new MailContext(limits, seed, keys, body);
    splitter =
        new MimeSplitter(limits, new LeafReader(mail, 0), mail.shape(), seed, Position.FIRST);
  }

  /**
   * Takes the next octets of the message, header first, without the dots that SMTP adds; any cut,
   * any octets.
   *
   * @param octets read only during the call
   */
  public void put(byte[] octets, int offset, int length) {
    splitter.put(octets, offset, offset + length);
  }

  /** What the octets until now showed. The text of the body has no fingerprint before its end. */
  public MailEvidence soFar() {
    return keys.now(mail.shape().parts(), mail.shape().deepest(), List.of(), MailPrint.NONE);
  }

  /**
   * Memory is short: from here on only what the live lists may hold is kept, so that no mail hides
   * a listed link behind the memory that others take.
   */
  public void keepOnlyListed() {
    mail.keepOnlyListed();
  }

  /** Octets of memory that the keys found and the readers take, about. */
  public long keptOctets() {
    return keys.octets() + mail.readingOctets();
  }

  /**
   * The same of the readers alone: of long words, attributes and boundaries that have not ended.
   */
  public long readingOctets() {
    return mail.readingOctets();
  }

  /** Octets of memory that the reading takes of every mail, about, beside those of the others. */
  public long basicOctets() {
    return FIRST_OCTETS + (body == null ? 0 : body.keptOctets());
  }

  /** Ends the mail; called once. What is still open, such as a multipart, ends with it. */
  public MailEvidence end() {
    splitter.end();
    List<ContentKey> prints = List.of();
    MailPrint print = new MailPrint(null, null, keys.files());
    if (body != null) {
      prints = new ArrayList<>(2);
      BodyPrint.Prints of = body.end();
      bodies.give(body);
      print = new MailPrint(of.exact(), of.likeness(), keys.files());
      if (of.exact() != null) {
        prints.add(new ContentKey(Check.BODY, of.exact(), Place.OPEN));
      }
      if (of.likeness() != null) {
        prints.add(new ContentKey(Check.BODY, of.likeness(), Place.OPEN));
      }
    }
    return keys.now(mail.shape().parts(), mail.shape().deepest(), prints, print);
  }

  /**
   * The first limit that the octets until now passed, {@code null} for none. The rest of such a
   * mail can still be put in.
   */
  public @Nullable MimeExcess excess() {
    return mail.shape().excess();
  }
}
