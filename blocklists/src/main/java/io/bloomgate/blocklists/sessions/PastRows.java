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
import io.bloomgate.config.settings.Action;
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

  /** Instead of no number: to ask for NULL is a call of native code more. */
  private static final int NONE = -1;

  /** The columns from here on are NULL in most rows, and are read only where {@code more} is 1. */
  private static final String RARE = "name, line, entry, listings, times";

  static String sql(String condition) {
    return "SELECT at, coalesce(id, -1), client, helo, coalesce(from_local, -1), from_domain,"
        + " to_local, bits, coalesce(list, -1), name IS NOT NULL OR entry IS NOT NULL OR"
        + " listings IS NOT NULL OR times IS NOT NULL AS more, "
        + RARE
        + " FROM session WHERE "
        + condition;
  }

  /** The client of a row, for those that need nothing more of it. */
  static IpAddress client(ResultSet row) throws SQLException {
    return DayRows.address(row.getBytes(3));
  }

  PastSession session(ResultSet row) throws SQLException {
    long id = row.getLong(2);
    int bits = row.getInt(8);
    boolean more = row.getInt(10) != 0;
    Set<Missing> missing = EnumSet.noneOf(Missing.class);
    Facts facts = facts(row, bits, more, missing);
    int first = row.getInt(9);
    String list = first == NONE ? null : texts.of(first);
    List<String> lists = list == null || !refuses(bits) ? List.of() : List.of(list);
    boolean spared = false;
    if (more) {
      Listed listed = listed(row, bits, facts, list, lists);
      facts = listed.facts;
      lists = listed.lists;
      spared = listed.spared;
    }
    String verdict = Packed.VERDICT.value(bits);
    return new PastSession(
        Instant.ofEpochMilli(began + row.getLong(1)),
        id == NONE ? "" : IncidentId.format(id),
        facts,
        missing,
        outcome(bits),
        spared || (verdict != null && KeptDecision.refuses(verdict)),
        lists,
        Boolean.TRUE.equals(Packed.KNOWN.value(bits)),
        more ? Math.max(1, row.getInt(15)) : 1);
  }

  private static PastSession.Outcome outcome(int bits) {
    return switch (Packed.OUTCOME.value(bits)) {
      case DELIVERED -> PastSession.Outcome.ACCEPTED;
      case REFUSED -> PastSession.Outcome.REFUSED;
      case null -> PastSession.Outcome.OTHER;
      case WOULD_REFUSE,
          PROTOCOL,
          TURNED_AWAY,
          UPSTREAM_REFUSED,
          UPSTREAM_FAILED,
          UNKNOWN,
          ABANDONED ->
          PastSession.Outcome.OTHER;
    };
  }

  private Facts facts(ResultSet row, int bits, boolean more, Set<Missing> missing)
      throws SQLException {
    Facts facts = Facts.ofClient(client(row));
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
    ClientName name = more ? DayRows.name(texts.of(row, 11), bits) : DayRows.name("", bits);
    if (!KeptSession.isWhole(name.name())) {
      missing.add(Missing.CLIENT_NAME);
      name = ClientName.UNKNOWN;
    }
    boolean early = Boolean.TRUE.equals(Packed.EARLY.value(bits));
    if (literal != null || early || name.state() != ClientName.State.UNKNOWN) {
      facts = facts.withSeen(new Seen(name, literal, null, early));
    }
    int local = row.getInt(5);
    if (local != NONE) {
      facts = withSender(facts, texts.of(local), texts.of(row, 6), missing);
    }
    String to = texts.of(row, 7);
    if (!KeptSession.isWhole(to)) {
      missing.add(Missing.RECIPIENT);
    } else if (!to.isEmpty()) {
      facts = facts.withRecipient(new Facts.Recipient(to.toLowerCase(Locale.ROOT), true));
    }
    return facts;
  }

  /** As a session does: a domain that is no name as a whole is asked by what can be read. */
  private static Facts withSender(Facts facts, String local, String domain, Set<Missing> missing) {
    if (local.isEmpty() && domain.isEmpty()) {
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

  /** True when the listing that decided refuses or puts off. */
  private static boolean refuses(int bits) {
    Action action = Packed.ACTION.value(bits);
    return action != null && KeptListing.refuses(action);
  }

  private record Listed(Facts facts, List<String> lists, boolean spared) {}

  /** Adds the lists that refused beside the first, and the answers of DNS lists to the facts. */
  private Listed listed(
      ResultSet row, int bits, Facts facts, @Nullable String deciding, List<String> first)
      throws SQLException {
    List<String> lists = new ArrayList<>(first);
    boolean spared = false;
    List<DnsListing> dns = new ArrayList<>();
    Check check = Packed.CHECK.value(bits);
    String entry = texts.of(row, 13);
    if (deciding != null && row.getInt(12) == 0 && check != null) {
      dns(deciding, check, entry, facts).ifPresent(dns::add);
    }
    String others = texts.of(row, 14);
    if (!others.isEmpty()) {
      for (KeptListing other : ListingsText.parse(others)) {
        spared |= other.waived() && KeptListing.refuses(other.action());
        if (other.refuses()) {
          lists.add(other.list());
        }
        if (other.line() == 0) {
          dns(other.list(), other.check(), other.entry(), facts).ifPresent(dns::add);
        }
      }
    }
    return new Listed(dns.isEmpty() ? facts : facts.withDns(dns), lists, spared);
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
