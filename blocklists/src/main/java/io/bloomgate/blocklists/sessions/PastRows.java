package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.HeloKeys;
import io.bloomgate.blocklists.decision.Seen;
import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.ListKey;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.settings.Check;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of one day as sessions that can be decided on again: only the columns that this needs,
 * and at a microsecond a row. Used by {@link DayReader} on the thread of the question.
 */
final class PastRows {

  /** Between the answer of a DNS list and its zone, in the text of an entry. */
  private static final String OF_ZONE = " from ";

  /** The condition of SQL for a session with accepted mail that no list was against. */
  static final String ACCEPTED =
      Packed.OUTCOME.sqlIs(Outcome.DELIVERED)
          + KeptDecision.REFUSALS.stream()
              .sorted()
              .map(verdict -> " AND NOT " + Packed.VERDICT.sqlIs(verdict))
              .collect(Collectors.joining());

  private final long began;
  private final TextBlocks texts;

  PastRows(long began, TextBlocks texts) {
    this.began = began;
    this.texts = texts;
  }

  static String sql(String condition) {
    return "SELECT at, id, client, helo, from_local, from_domain, to_local, name, bits, list, line,"
        + " entry, listings, times FROM session WHERE "
        + condition;
  }

  PastSession session(ResultSet row) throws SQLException {
    long idBits = row.getLong(2);
    String id = row.wasNull() ? "" : IncidentId.format(idBits);
    int bits = row.getInt(9);
    Set<Missing> missing = EnumSet.noneOf(Missing.class);
    Facts facts = facts(row, bits, missing);
    List<String> lists = new ArrayList<>();
    facts = listed(row, bits, facts, lists);
    Outcome outcome = Packed.OUTCOME.value(bits);
    String verdict = Packed.VERDICT.value(bits);
    return new PastSession(
        Instant.ofEpochMilli(began + row.getLong(1)),
        id,
        facts,
        missing,
        outcome == Outcome.DELIVERED
            ? PastSession.Outcome.ACCEPTED
            : outcome == Outcome.REFUSED ? PastSession.Outcome.REFUSED : PastSession.Outcome.OTHER,
        verdict != null && KeptDecision.refuses(verdict),
        lists,
        Boolean.TRUE.equals(Packed.KNOWN.value(bits)),
        Math.max(1, row.getInt(14)));
  }

  private Facts facts(ResultSet row, int bits, Set<Missing> missing) throws SQLException {
    Facts facts = Facts.ofClient(DayRows.address(row.getBytes(3)));
    String helo = texts.of(row, 4);
    IpAddress literal = null;
    if (!helo.isEmpty()) {
      if (KeptSession.isWhole(helo)) {
        facts = facts.withHelo(HeloKeys.parse(helo).orElse(null));
        literal = HeloKeys.address(helo).orElse(null);
      } else {
        missing.add(Missing.HELO);
      }
    }
    ClientName name = DayRows.name(texts.of(row, 8), bits);
    boolean early = Boolean.TRUE.equals(Packed.EARLY.value(bits));
    if (literal != null || early || name.state() != ClientName.State.UNKNOWN) {
      facts = facts.withSeen(new Seen(name, literal, null, early));
    }
    facts = withSender(facts, texts.ofNullable(row, 5), texts.of(row, 6), missing);
    String to = texts.of(row, 7);
    if (to.equals("*")) {
      missing.add(Missing.RECIPIENT);
    } else if (!to.isEmpty()) {
      facts = facts.withRecipient(new Facts.Recipient(to.toLowerCase(Locale.ROOT), true));
    }
    return facts;
  }

  /** As a session does: a domain that is no name as a whole is asked by what can be read. */
  private static Facts withSender(
      Facts facts, @Nullable String local, String domain, Set<Missing> missing) {
    if (local == null || (local.isEmpty() && domain.isEmpty())) {
      return facts;
    }
    if (local.equals("*") || !KeptSession.isWhole(local) || !KeptSession.isWhole(domain)) {
      missing.add(Missing.SENDER);
      if (domain.isEmpty() || !KeptSession.isWhole(domain)) {
        missing.add(Missing.SENDER_DOMAIN);
        return facts;
      }
      return facts.withSender(List.of(), DomainName.asked(domain).orElse(null));
    }
    Optional<MailAddress> address = MailAddress.parse(local + "@" + domain).toOptional();
    return address.isPresent()
        ? facts.withSender(address.get())
        : facts.withSender(List.of(), DomainName.asked(domain).orElse(null));
  }

  /** Adds the names of the lists that counted, and the answers of DNS lists to the facts. */
  private Facts listed(ResultSet row, int bits, Facts facts, List<String> lists)
      throws SQLException {
    String first = texts.ofNullable(row, 10);
    String others = texts.ofNullable(row, 13);
    if (first == null && others == null) {
      return facts;
    }
    List<DnsListing> dns = new ArrayList<>();
    Check check = Packed.CHECK.value(bits);
    if (first != null) {
      lists.add(first);
      String entry = texts.ofNullable(row, 12);
      if (entry != null && row.getInt(11) == 0 && check != null) {
        dns(first, check, entry, facts).ifPresent(dns::add);
      }
    }
    if (others != null) {
      for (KeptListing other : ListingsText.parse(others)) {
        if (other.counted()) {
          lists.add(other.list());
        }
        if (other.line() == 0) {
          dns(other.list(), other.check(), other.entry(), facts).ifPresent(dns::add);
        }
      }
    }
    return dns.isEmpty() ? facts : facts.withDns(dns);
  }

  /** The answer of a DNS list, whose entry is its address and its zone. */
  private static Optional<DnsListing> dns(String list, Check check, String entry, Facts facts) {
    int zone = entry.indexOf(OF_ZONE);
    ListKey subject = subject(check, facts);
    if (!entry.startsWith("127.") || zone < 0 || subject == null) {
      return Optional.empty();
    }
    return IpAddress.parse(entry.substring(0, zone))
        .toOptional()
        .map(answer ->
            new DnsListing(
                list,
                check,
                subject,
                entry.substring(zone + OF_ZONE.length()),
                answer,
                Duration.ZERO,
                Instant.EPOCH));
  }

  private static @Nullable ListKey subject(Check check, Facts facts) {
    return switch (check) {
      case CLIENT_IP -> facts.client();
      case CLIENT_NAME -> facts.seen().name().key();
      case HELO -> facts.helo();
      case SENDER -> facts.sender().isEmpty() ? null : facts.sender().getFirst();
      case SENDER_DOMAIN -> facts.senderDomain();
    };
  }
}
