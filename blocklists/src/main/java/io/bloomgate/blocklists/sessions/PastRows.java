package io.bloomgate.blocklists.sessions;

import io.bloomgate.blocklists.database.Statements;
import io.bloomgate.blocklists.decision.ClientName;
import io.bloomgate.blocklists.decision.Content;
import io.bloomgate.blocklists.decision.ContentKey.Place;
import io.bloomgate.blocklists.decision.DnsListing;
import io.bloomgate.blocklists.decision.Facts;
import io.bloomgate.blocklists.decision.Seen;
import io.bloomgate.blocklists.impact.CountedSession;
import io.bloomgate.blocklists.impact.PastSession;
import io.bloomgate.blocklists.impact.PastSession.Missing;
import io.bloomgate.blocklists.impact.PastTaker;
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
import java.util.Objects;
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

  private static final String NO_REFUSAL =
      KeptDecision.REFUSALS.stream()
          .sorted()
          .map(verdict -> " AND NOT " + Packed.VERDICT.sqlIs(verdict))
          .collect(Collectors.joining());

  /** The condition of SQL for a session with accepted mail that no list was against. */
  static final String ACCEPTED = Packed.OUTCOME.sqlIs(Outcome.DELIVERED) + NO_REFUSAL;

  /** The same, with mail of which it is not known whether the mail server took it. */
  static final String NOT_REFUSED =
      "("
          + Packed.OUTCOME.sqlIs(Outcome.DELIVERED)
          + " OR "
          + Packed.OUTCOME.sqlIs(Outcome.UNKNOWN)
          + ")"
          + NO_REFUSAL;

  private final long began;
  private final TextBlocks texts;

  private IpAddress client = NOBODY;
  private long at;
  private int bits;
  private PastWord helo = new PastWord("");
  private @Nullable PastWord local;
  private PastWord domain = new PastWord("");
  private PastWord to = new PastWord("");
  private boolean more;

  private static final IpAddress NOBODY = new IpAddress(0, 0);

  /** No row is read yet of the day that these statements ask. */
  PastRows(long began, Statements day) throws SQLException {
    this.began = began;
    this.texts = new TextBlocks(day);
  }

  /** Instead of no number: to ask for NULL is a call of native code more. */
  private static final int NONE = -1;

  /**
   * Two numbers a column, because each column is a call of native code. Those from the fifth on are
   * for sessions that are made, and those from the seventh on are NULL in most rows, and are read
   * only where {@code more} is 1, the lowest bit beside {@code from_local}.
   */
  private static final String COLUMNS =
      "(at << 32) | (bits & 0xffffffff),"
          + " client,"
          + " (coalesce(helo, 0) << 32) | (coalesce(from_domain, 0) & 0xffffffff),"
          + " ((coalesce(from_local, -1) * 2 + (name IS NOT NULL OR entry IS NOT NULL OR"
          + " listings IS NOT NULL OR subject IS NOT NULL OR times IS NOT NULL)) << 32)"
          + " | (coalesce(to_local, 0) & 0xffffffff),"
          + " coalesce(id, -1), coalesce(list, -1),"
          + " name, line, entry, listings, times, subject";

  private static final int AT_AND_BITS = 1;
  private static final int CLIENT = 2;
  private static final int HELO_AND_DOMAIN = 3;
  private static final int LOCAL_AND_TO = 4;
  private static final int ID = 5;
  private static final int LIST = 6;
  private static final int NAME = 7;
  private static final int LINE = 8;
  private static final int ENTRY = 9;
  private static final int LISTINGS = 10;
  private static final int TIMES = 11;
  private static final int SUBJECT = 12;

  static String sql(String condition) {
    return "SELECT " + COLUMNS + " FROM session WHERE " + condition;
  }

  /** The client of a row, for those that need nothing more of it. */
  static IpAddress client(ResultSet row) throws SQLException {
    return DayRows.address(row.getBytes(CLIENT));
  }

  /** Reads what every session has of a row. */
  void read(ResultSet row, IpAddress of) throws SQLException {
    client = of;
    long pair = row.getLong(AT_AND_BITS);
    at = pair >> Integer.SIZE;
    bits = (int) pair;
    pair = row.getLong(HELO_AND_DOMAIN);
    helo = texts.word((int) (pair >> Integer.SIZE));
    domain = texts.word((int) pair);
    pair = row.getLong(LOCAL_AND_TO);
    int localAndMore = (int) (pair >> Integer.SIZE);
    more = (localAndMore & 1) != 0;
    local = localAndMore >> 1 == NONE ? null : texts.word(localAndMore >> 1);
    to = texts.word((int) pair);
  }

  /**
   * What is counted of the row that was read, when the taker decides on no session with its keys.
   *
   * @return {@code null} when the whole session is needed
   */
  @Nullable CountedSession counted(ResultSet row, PastTaker taker) throws SQLException {
    PastSession.Outcome outcome = outcome(bits);
    boolean accepted = outcome == PastSession.Outcome.ACCEPTED;
    String name = "";
    int times = 1;
    if (more) {
      boolean mayBeOfContent = outcome != PastSession.Outcome.REFUSED && row.getInt(LISTINGS) != 0;
      if (mayBeOfContent || isDecidedByContent()) {
        return null; // they may say that a list was against it
      }
      name = texts.of(row, NAME);
      times = Math.max(1, row.getInt(TIMES));
    }
    if (taker.mayList(client)
        || helo.mayListHelo(taker)
        || mayListSender(taker)
        || mayListName(name, taker)) {
      return null;
    }
    Set<Missing> missing = missing(name);
    return new CountedSession(
        began + at,
        client,
        accepted ? senderDomain(missing, address(missing)) : null,
        missing,
        outcome,
        accepted && wasRefused(),
        times);
  }

  private boolean mayListName(String name, PastTaker taker) {
    if (name.isEmpty() || !taker.mayListNames()) {
      return false;
    }
    DomainName key = DayRows.name(name, bits).key();
    return key != null && taker.mayList(key);
  }

  private boolean mayListSender(PastTaker taker) {
    if (local == null) {
      return false;
    }
    if (domain.mayListDomain(taker)) {
      return true;
    }
    MailAddress address = taker.mayListAddresses() ? address(Set.of()) : null;
    return address != null && address.askedForms().stream().anyMatch(taker::mayList);
  }

  private boolean wasRefused() {
    String verdict = Packed.VERDICT.value(bits);
    return verdict != null && KeptDecision.refuses(verdict);
  }

  /** The session of the row that was read. */
  PastSession session(ResultSet row) throws SQLException {
    long id = row.getLong(ID);
    int first = row.getInt(LIST);
    String list = first == NONE ? null : texts.of(first);
    List<String> lists = list == null || !refuses(bits) ? List.of() : List.of(list);
    String name = more ? texts.of(row, NAME) : "";
    Set<Missing> missing = missing(name);
    Facts facts = facts(name, missing);
    boolean spared = false;
    if (more) {
      Listed listed = listed(row, bits, facts, list, lists);
      facts = listed.facts;
      lists = listed.lists;
      spared = listed.spared;
    }
    if (isDecidedByContent() && facts.content().isEmpty()) {
      Set<Missing> ofEnvelope = missing;
      missing = EnumSet.of(Missing.CONTENT);
      missing.addAll(ofEnvelope);
    }
    return new PastSession(
        Instant.ofEpochMilli(began + at),
        id == NONE ? "" : IncidentId.format(id),
        facts,
        missing,
        outcome(bits),
        spared || wasRefused(),
        lists,
        Boolean.TRUE.equals(Packed.KNOWN.value(bits)),
        more ? Math.max(1, row.getInt(TIMES)) : 1);
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

  private Facts facts(String clientName, Set<Missing> missing) {
    ClientName name =
        missing.contains(Missing.CLIENT_NAME) ? ClientName.UNKNOWN : DayRows.name(clientName, bits);
    PastWord.Helo said = missing.contains(Missing.HELO) ? PastWord.Helo.NONE : helo.helo();
    boolean early = Boolean.TRUE.equals(Packed.EARLY.value(bits));
    MailAddress address = address(missing);
    return new Facts(
        client,
        said.key(),
        address == null ? List.of() : address.askedForms(),
        senderDomain(missing, address),
        to.isEmpty() || missing.contains(Missing.RECIPIENT) ? null : to.recipient(),
        List.of(),
        said.address() != null || early || name.state() != ClientName.State.UNKNOWN
            ? new Seen(name, said.address(), null, early)
            : Seen.NOTHING,
        Content.NONE);
  }

  private Set<Missing> missing(String clientName) {
    Set<Missing> said = MissingParts.of(bits);
    return said != null
        ? said
        : MissingParts.guessed(
            clientName, helo.text(), local == null ? null : local.text(), domain.text(), to.text());
  }

  private boolean isDecidedByContent() {
    Check decidedBy = Packed.CHECK.value(bits);
    return decidedBy != null && PastContent.isOf(decidedBy);
  }

  /** {@code null} for no sender, for {@code <>}, and for what cannot be read as an address. */
  private @Nullable MailAddress address(Set<Missing> missing) {
    if (local == null || missing.contains(Missing.SENDER) || isSenderless(missing)) {
      return null;
    }
    MailAddress.Host host = domain.domain().host();
    String canonical = local.local().orElse(null);
    return host == null || canonical == null ? null : new MailAddress(canonical, host);
  }

  private boolean isSenderless(Set<Missing> missing) {
    return domain.isEmpty() || missing.contains(Missing.SENDER_DOMAIN);
  }

  /** As a session does: a domain that is no name as a whole is asked by what can be read. */
  private @Nullable DomainName senderDomain(Set<Missing> missing, @Nullable MailAddress address) {
    if (local == null || isSenderless(missing)) {
      return null;
    }
    return address == null ? domain.domain().asked() : Facts.domainOf(address);
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
    List<KeptListing> ofContent = new ArrayList<>();
    Check check = Packed.CHECK.value(bits);
    String entry = texts.of(row, ENTRY);
    if (deciding != null && isDecidedByContent()) {
      ofContent.add(ofContent(row, deciding, entry));
    }
    if (deciding != null && row.getInt(LINE) == 0 && check != null) {
      dns(deciding, check, entry, facts).ifPresent(dns::add);
    }
    String others = texts.of(row, LISTINGS);
    if (!others.isEmpty()) {
      for (KeptListing other : ListingsText.parse(others)) {
        spared |= other.waived() && KeptListing.refuses(other.action());
        if (other.refuses()) {
          lists.add(other.list());
        }
        if (PastContent.isOf(other.check())) {
          ofContent.add(other);
        }
        if (other.line() == 0) {
          dns(other.list(), other.check(), other.entry(), facts).ifPresent(dns::add);
        }
      }
    }
    Facts answered = dns.isEmpty() ? facts : facts.withDns(dns);
    return new Listed(
        ofContent.isEmpty() ? answered : answered.withPastContent(PastContent.of(ofContent)),
        lists,
        spared);
  }

  /** The listing of the content that decided. */
  private KeptListing ofContent(ResultSet row, String list, String entry) throws SQLException {
    String subject = texts.of(row, SUBJECT);
    return new KeptListing(
        Objects.requireNonNull(Packed.CHECK.value(bits)),
        subject,
        list,
        entry.isEmpty() ? subject : entry,
        row.getInt(LINE),
        Objects.requireNonNullElse(Packed.ACTION.value(bits), Action.OBSERVE),
        "",
        Objects.requireNonNullElse(Packed.PLACE.value(bits), Place.OPEN),
        ListingsText.isExemptAmong(texts.of(row, LISTINGS)));
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
      case FROM, FROM_DOMAIN, REPLY_TO_DOMAIN, URL, URL_HOST, ATTACHMENT, SUBJECT, BODY -> null;
    };
  }
}
