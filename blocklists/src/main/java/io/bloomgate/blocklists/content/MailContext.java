package io.bloomgate.blocklists.content;

import io.bloomgate.blocklists.campaign.BodyPrint;
import io.bloomgate.blocklists.url.UrlsLeft;
import io.bloomgate.config.settings.Check;
import org.jspecify.annotations.Nullable;

/** What the readers of one mail have in common. Made by {@link MailScanner}, on its thread. */
final class MailContext {

  private final MimeLimits limits;
  private final long seed;
  private final EvidenceKeys keys;
  private final MailShape shape;
  private final @Nullable BodyPrint body;
  private final UrlsLeft urlsLeft;
  private final boolean wantsUrls;
  private @Nullable MailContext beside;
  private boolean reply;
  private boolean onlyListed;

  MailContext(MimeLimits limits, long seed, EvidenceKeys keys, @Nullable BodyPrint body) {
    this(limits, seed, keys, body, new MailShape(), new UrlsLeft());
  }

  private MailContext(
      MimeLimits limits,
      long seed,
      EvidenceKeys keys,
      @Nullable BodyPrint body,
      MailShape shape,
      UrlsLeft urlsLeft) {
    this.limits = limits;
    this.seed = seed;
    this.keys = keys;
    this.body = body;
    this.shape = shape;
    this.urlsLeft = urlsLeft;
    wantsUrls = keys.wants(Check.URL) || keys.wants(Check.URL_HOST);
  }

  /**
   * The same mail, for readings that most mail clients do not share: these have bounds of their
   * own, so that they take nothing away from the others, and give no fingerprint of the body.
   */
  MailContext beside() {
    MailContext other = beside;
    if (other == null) {
      UrlsLeft left = new UrlsLeft(UrlsLeft.MOST_READ_BESIDE);
      other = new MailContext(limits, seed, keys.beside(), null, shape, left);
      other.beside = other;
      other.reply = reply;
      beside = other;
      if (onlyListed) {
        left.rememberNone();
      }
    }
    return other;
  }

  /** See {@link MailScanner#keepOnlyListed}. */
  void keepOnlyListed() {
    onlyListed = true;
    keys.keepOnlyListed();
    urlsLeft.rememberNone();
    if (beside != null) {
      beside.urlsLeft.rememberNone();
    }
  }

  /** The mail answers another one, so it may quote it. */
  void answersAnother() {
    reply = true;
    if (beside != null) {
      beside.reply = true;
    }
  }

  boolean isReply() {
    return reply;
  }

  MimeLimits limits() {
    return limits;
  }

  long seed() {
    return seed;
  }

  EvidenceKeys keys() {
    return keys;
  }

  MailShape shape() {
    return shape;
  }

  /** The fingerprint of the visible text, {@code null} when nobody wants it. */
  @Nullable BodyPrint body() {
    return body;
  }

  UrlsLeft urlsLeft() {
    return urlsLeft;
  }

  /** Octets of memory that the readers take, about, beside what they found. */
  long readingOctets() {
    MailContext other = beside;
    return shape.keptOctets()
        + urlsLeft.keptOctets()
        + (other == null ? 0 : other.urlsLeft.keptOctets());
  }

  boolean wantsUrls() {
    return wantsUrls;
  }

  boolean wantsText() {
    return wantsUrls || body != null;
  }

  boolean wantsHash() {
    return keys.wants(Check.ATTACHMENT);
  }
}
