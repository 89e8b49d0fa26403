package io.bloomgate.blocklists.replay;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.HeloKeys;
import io.bloomgate.blocklists.decision.Seen;
import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import io.bloomgate.blocklists.impact.PastSession.Outcome;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.MailAddress;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The facts about one mail in the lines read so far. Filled by the parser of a log; one thread.
 * Texts are kept as far as a decision needs them, because senders write them.
 */
final class LoggedMail {

  /** Local parts that lists never refuse: another recipient of the mail says more. */
  private static final Set<String> EXEMPT = Set.of("postmaster", "abuse");

  /** Longest id that is kept; those of mail servers are shorter, {@code Message-ID} may not be. */
  private static final int MAX_ID = 255;

  final Instant at;
  final String id;
  private @Nullable IpAddress client;
  private String name = "";
  private @Nullable String helo;
  private @Nullable String from;

  private Facts.@Nullable Recipient to;

  Refusal refusal = Refusal.NONE;

  /** Submitted by a user of this server, or made by it: no mail that lists are asked about. */
  boolean own;

  /** The content came, so that the end of the connection does not end the mail. */
  boolean whole;

  int delivered;
  int failed;

  /** A refusal earlier in the connection, which may belong to this mail. */
  @Nullable LoggedMail earlier;

  LoggedMail(Instant at, String id) {
    this.at = at;
    this.id = LogText.start(id, MAX_ID);
  }

  /** Reads the client's address; keeps what was known when it cannot be read. */
  void client(String text) {
    client = IpAddress.parse(text).toOptional().orElse(client);
  }

  /** Notes a name that leads back to the client's address; empty when the log has none. */
  void name(String text) {
    name = LogText.domain(text);
  }

  /** Notes the argument of HELO; {@code null} when it is not known. */
  void helo(@Nullable String text) {
    helo = text == null ? null : LogText.domain(text);
  }

  /** Notes the envelope sender, empty for the null sender; {@code null} when it is not known. */
  void from(@Nullable String address) {
    from = address == null ? null : LogText.address(address);
  }

  boolean hasFrom() {
    return from != null;
  }

  /** True when both are from the same sender; one that is not known counts as the null sender. */
  boolean hasSenderOf(LoggedMail other) {
    return Objects.requireNonNullElse(from, "").equals(Objects.requireNonNullElse(other.from, ""));
  }

  /** Notes a recipient: the first that is not exempt. */
  void to(String address) {
    if (to == null || EXEMPT.contains(to.localPart())) {
      int sign = address.lastIndexOf('@');
      String localPart = sign < 0 ? address : address.substring(0, sign);
      to =
          new Facts.Recipient(
              LogText.start(localPart, LogText.MAX_PATH).toLowerCase(Locale.ROOT),
              sign < 0 ? "" : LogText.domain(address.substring(sign + 1)).toLowerCase(Locale.ROOT),
              true);
    }
  }

  /** The outcome, by the deliveries and refusals that were noted. */
  private Outcome outcome() {
    if (delivered > 0) {
      return Outcome.ACCEPTED;
    }
    return refusal.outcome() != null ? refusal.outcome() : Outcome.OTHER;
  }

  /** The session; empty for mail of this server and where the client is not known. */
  Optional<PastSession> session() {
    IpAddress address = client;
    if (own || address == null || isLoopback(address)) {
      return Optional.empty();
    }
    Outcome outcome = outcome();
    boolean refused = outcome.isRefusal();
    List<String> lists = refused ? refusal.lists() : List.of();
    return Optional.of(
        new PastSession(at, id, facts(address), missing(), outcome, refused, lists, false, 1));
  }

  private static boolean isLoopback(IpAddress address) {
    return address.isV4()
        ? address.v4Bits() >>> 24 == 127
        : address.high() == 0 && address.low() == 1;
  }

  private Facts facts(IpAddress address) {
    ClientName clientName =
        name.isEmpty() ? ClientName.UNKNOWN : new ClientName(name, ClientName.State.CONFIRMED);
    Facts facts = Facts.ofClient(address);
    IpAddress literal = null;
    if (helo != null) {
      facts = facts.withHelo(HeloKeys.parse(helo).orElse(null));
      literal = HeloKeys.address(helo).orElse(null);
    }
    facts = facts.withSeen(new Seen(clientName, literal, null, false));
    facts = withSender(facts);
    return to == null ? facts : facts.withRecipient(to);
  }

  /**
   * Adds the sender as the gateway does: a domain that is no name as a whole is asked by what can
   * be read.
   */
  private Facts withSender(Facts facts) {
    if (from == null || from.isEmpty()) {
      return facts;
    }
    Optional<MailAddress> address = MailAddress.parse(from).toOptional();
    if (address.isPresent()) {
      return facts.withSender(address.get());
    }
    Optional<DomainName> domain = DomainName.asked(from.substring(from.lastIndexOf('@') + 1));
    return facts.withSender(List.of(), domain.orElse(null));
  }

  private Set<Missing> missing() {
    Set<Missing> missing = EnumSet.noneOf(Missing.class);
    if (helo == null) {
      missing.add(Missing.HELO);
    }
    if (from == null) {
      missing.add(Missing.SENDER);
      missing.add(Missing.SENDER_DOMAIN);
    }
    if (to == null) {
      missing.add(Missing.RECIPIENT);
    }
    if (name.isEmpty()) {
      missing.add(Missing.CLIENT_NAME);
    }
    return missing;
  }
}
