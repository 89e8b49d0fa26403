package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.campaign.Bulk;
import io.bloomgate.blocklists.campaign.Campaigns;
import io.bloomgate.blocklists.campaign.MailPrint;
import io.bloomgate.blocklists.campaign.PassingMail;
import io.bloomgate.blocklists.content.MailEvidence;
import io.bloomgate.blocklists.content.MailScanner;
import io.bloomgate.blocklists.content.MimeExcess;
import io.bloomgate.blocklists.content.MimeLimits;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.config.settings.Check;
import io.bloomgate.config.settings.Settings;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the content of one message while it passes: its shape always, and what it carries when a
 * list or an entry of the operator asks for that, or copies of mails are counted. Used by {@link
 * ContentStage} on its session's thread.
 */
final class ContentWatch {

  private final boolean exemptAmong;
  private final boolean wanted;
  private final @Nullable Campaigns campaigns;
  private MailScanner scanner;
  private MailPrint print = MailPrint.NONE;
  private List<String> notLookedAt = List.of();
  private boolean limited;

  /** Reads a message of this transaction. */
  ContentWatch(SessionState session, MailTransaction transaction) {
    ContentReading reading = session.environment().reading();
    this.campaigns = reading.campaigns().get();
    Set<Check> checks = session.judge().contentChecks();
    if (campaigns != null) {
      checks.add(Check.BODY);
      checks.add(Check.ATTACHMENT);
    }
    this.exemptAmong = transaction.anyExempt();
    this.wanted = !checks.isEmpty();
    this.scanner =
        new MailScanner(
            limits(session.limits().mime()),
            checks,
            reading.bodies(),
            key -> session.judge().held(key, transaction.pin().snapshot()));
  }

  private static MimeLimits limits(Settings.Limits.Mime mime) {
    return new MimeLimits(mime.depth(), mime.parts(), mime.parameters(), mime.addressFields());
  }

  /** True when a list, an entry of the operator or the counters ask for what mails carry. */
  boolean isWanted() {
    return wanted;
  }

  /** Takes content, without the dots that SMTP adds. */
  void put(byte[] octets, int offset, int length) {
    scanner.put(octets, offset, length);
  }

  /** Memory is short: see {@link MailScanner#keepOnlyListed}. */
  void keepOnlyListed() {
    scanner.keepOnlyListed();
  }

  /** Octets of memory that the reading takes, about. */
  long keptOctets() {
    return scanner.keptOctets();
  }

  /** Octets of memory that the reading of any message takes, beside these. */
  long basicOctets() {
    return scanner.basicOctets();
  }

  /** The same without what was found. */
  long readingOctets() {
    return scanner.readingOctets();
  }

  /** Ends the reading; what was found is forgotten, and its memory is free. */
  void forget() {
    scanner = new MailScanner(MimeLimits.DEFAULTS, Set.of(), 0);
  }

  /** The limit of shapes that the message is beyond; {@code null} for none. */
  @Nullable MimeExcess excess() {
    return scanner.excess();
  }

  /** What the content showed until now, of a message that is too large to be held. */
  Content soFar() {
    return content(scanner.soFar());
  }

  /** What the whole content showed; asked once. */
  Content whole() {
    MailEvidence evidence = scanner.end();
    print = evidence.print();
    limited = wanted && evidence.limited();
    notLookedAt = wanted ? evidence.notLookedAt() : List.of();
    return content(evidence);
  }

  /**
   * What lists were not asked about, in words without anything of the mail; after {@link #whole}.
   */
  List<String> notLookedAt() {
    return notLookedAt;
  }

  /** True when some was not read because there is too much of it; after {@link #whole}. */
  boolean isLimited() {
    return limited;
  }

  /** Counts the mail with its copies; called once, behind {@link #whole}. */
  MailShown shown(Supplier<PassingMail> mail, Instant now) {
    Bulk bulk = campaigns == null ? Bulk.NONE : campaigns.seen(print, mail.get(), now);
    return new MailShown(bulk, print.likeness(), limited);
  }

  /** The mail that {@link #shown} counted was refused under another id than it had. */
  void recorded(Bulk bulk, String session, String id) {
    if (campaigns != null) {
      campaigns.recorded(bulk, session, id);
    }
  }

  private Content content(MailEvidence evidence) {
    return new Content(evidence.keys(), exemptAmong);
  }
}
