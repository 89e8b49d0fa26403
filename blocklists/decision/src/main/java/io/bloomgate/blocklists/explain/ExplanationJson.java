package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.explain.Explanation.Line;
import io.bloomgate.blocklists.generation.Partition;
import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.blocklists.index.RangeTally;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.refresh.ListingOrigin;
import io.bloomgate.config.json.JsonRecords.Inline;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.name.Likeness;
import io.bloomgate.config.name.MailAddress;
import io.bloomgate.config.name.NamePattern;
import io.bloomgate.config.name.Subject;
import io.bloomgate.config.name.WebUrl;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The documented answer to {@code explain}, as JSON has it: about a subject, about a mail, and
 * about an incident. Made of an {@link Explanation} here, and of a kept session by the gateway.
 * Immutable.
 *
 * @param verdict {@code null} when no list was asked
 * @param at the time whose lists were asked; {@code null} for now
 * @param incident the id of the session; {@code null} for an answer about now
 * @param keys what is said of each key of a mail
 */
public record ExplanationJson(
    String subject,
    Check kind,
    @Nullable String verdict,
    Stage stage,
    Mode mode,
    long generation,
    boolean offline,
    @Rare @Nullable Instant at,
    List<Listed> listings,
    Bloom bloom,
    @Rare @Nullable Range range,
    @Nullable Allow allow,
    @Nullable String undo,
    List<Wider> undoWider,
    @Nullable String incident,
    List<String> notes,
    @Rare List<Carried> keys) {

  /**
   * One listing.
   *
   * @param line {@code null} where there is none, or it was not kept
   * @param dns the answer of a DNS list
   * @param rule how many lists a rule needs, and which of them list the session
   * @param id of the operator's entry
   * @param pardon why it does not count, for people
   */
  public record Listed(
      String feed,
      String entry,
      @Nullable Integer line,
      @Nullable Instant since,
      Action action,
      Check kind,
      @Inline @Rare @Nullable Origin origin,
      @Rare Weakness weakness,
      @Rare @Nullable Dns dns,
      @Rare @Nullable Rule rule,
      @Rare @Nullable String id,
      @Rare @Nullable String reason,
      @Nullable String pardon) {

    static Listed of(Line line, boolean past) {
      Ground.Found ground = line.ground();
      ListingOrigin origin = line.origin();
      OperatorEntry block = ground instanceof Ground.Blocked blocked ? blocked.block() : null;
      return new Listed(
          ground.source(),
          ground.entry(),
          number(ground.line()),
          line.since(),
          ground.action(),
          ground.check(),
          origin == null
              ? null
              : new Origin(
                  origin.atLeast(),
                  past ? new Until(origin.until()) : null,
                  new Source(origin.version(), origin.reference())),
          ground.weakness(),
          ground instanceof Ground.ByDns(var answer, var _, var _)
              ? new Dns(
                  answer.zone(),
                  answer.answer().toString(),
                  answer.ttl().toSeconds(),
                  answer.at(),
                  answer.subject().toString())
              : null,
          ground instanceof Ground.RuleMet met
              ? new Rule(met.needed(), met.counted().stream().map(Ground.OfList::source).toList())
              : null,
          block == null ? null : block.id(),
          block == null ? null : block.reason(),
          line.pardon() == null ? null : GroundText.why(line.pardon()));
    }
  }

  /** The same number; {@code null} for 0. */
  public static @Nullable Integer number(int line) {
    return line == 0 ? null : Integer.valueOf(line);
  }

  /**
   * The origin of a listing.
   *
   * @param sinceAtLeast true when {@code since} is a bound
   */
  public record Origin(
      boolean sinceAtLeast,
      @Inline @Rare @Nullable Until until,
      @Inline @Rare @Nullable Source source) {}

  /** The end of a listing in an answer about the past; {@code null} while it is listed. */
  public record Until(@Nullable Instant until) {}

  /** The version of a feed, and what it says of the entry. */
  record Source(@Rare ListingOrigin.@Nullable Version version, @Nullable String reference) {}

  /**
   * The answer of a DNS list.
   *
   * @param asked what it was asked about
   */
  record Dns(String zone, String answer, long ttlS, Instant at, String asked) {}

  /** The number of lists that a rule needs, and the lists that the session is on. */
  public record Rule(int needed, List<String> counted) {}

  /**
   * The answer of the filter in front of the exact index.
   *
   * @param outOfReach true entries that it hit and that do not reach the key by their match mode
   */
  public record Bloom(
      String filter, boolean hit, boolean confirmed, @Rare List<Beside> outOfReach) {

    /** A hit that is a listing or chance, or none. */
    Bloom(String filter, boolean hit, boolean confirmed) {
      this(filter, hit, confirmed, List.of());
    }

    /**
     * The word of the filter that a check asks about a subject.
     *
     * @param check its key in settings and JSON
     * @param subject as text: a name, an address of the network, or a mail address
     */
    public static String filterOf(String check, String subject) {
      Optional<Check> asked =
          Stream.of(Check.values()).filter(each -> each.key().equals(check)).findFirst();
      return asked.map(each -> partition(each, subject)).orElse(Partition.IP).word();
    }

    private static Partition partition(Check check, String subject) {
      return switch (check) {
        case CLIENT_IP -> Partition.IP;
        case SENDER, FROM -> Partition.ADDRESS;
        case SENDER_DOMAIN, CLIENT_NAME, FROM_DOMAIN, REPLY_TO_DOMAIN -> Partition.DOMAIN;
        case HELO, URL_HOST ->
            IpAddress.parse(subject).toOptional().isEmpty() ? Partition.DOMAIN : Partition.IP;
        case URL -> Partition.URL;
        case ASN, ATTACHMENT, SUBJECT, BODY -> Partition.FINGERPRINT;
      };
    }
  }

  /** An entry beside the subject. */
  record Beside(String feed, String entry, @Nullable Integer line) {
    static List<Beside> of(List<Listing> listings) {
      return listings.stream()
          .map(each -> new Beside(each.feed(), each.entry().text(), number(each.entry().line())))
          .toList();
    }
  }

  /** The listings inside a network, and around it. */
  record Range(
      long inside,
      long around,
      Map<String, Long> insideByFeed,
      Map<String, Long> aroundByFeed,
      List<Beside> first) {
    static Range of(RangeTally range) {
      return new Range(
          range.insideAll(),
          range.aroundAll(),
          range.inside(),
          range.around(),
          Beside.of(range.first()));
    }
  }

  /** The allow entry that lifts, or that would. */
  record Allow(
      String entry,
      Check kind,
      String reason,
      @Nullable Instant expires,
      String author,
      String id) {
    static @Nullable Allow of(@Nullable OperatorEntry entry) {
      return entry == null
          ? null
          : new Allow(
              entry.subject().toString(),
              ExplanationJson.kind(entry.subject()),
              entry.reason(),
              entry.expires(),
              entry.author(),
              entry.id());
    }
  }

  /** A command that lifts more than the refusal. */
  public record Wider(String command, String lifts) {}

  /** The findings about one key of a mail; {@code number} is its place in the question, from 0. */
  record Carried(int number, List<Listed> listings, @Nullable Allow allow) {}

  static ExplanationJson of(Explanation answer) {
    RangeTally range = answer.range();
    return new ExplanationJson(
        answer.subject(),
        answer.kind(),
        answer.verdict().key(),
        answer.stage(),
        answer.mode(),
        answer.verdict().grounds().generation(),
        answer.offline(),
        answer.at(),
        answer.listings().stream().map(line -> Listed.of(line, answer.at() != null)).toList(),
        answer.bloom(),
        range == null ? null : Range.of(range),
        Allow.of(answer.allow()),
        answer.undo(),
        answer.wider(),
        null,
        answer.notes(),
        answer.carried().stream()
            .map(key ->
                new Carried(
                    key.number(),
                    key.listings().stream().map(line -> Listed.of(line, false)).toList(),
                    Allow.of(key.allow())))
            .toList());
  }

  /** The check of a subject when the question names none. */
  static Check kind(@Nullable Subject subject) {
    return switch (subject) {
      case null -> Check.BODY;
      case IpPrefix ignored -> Check.CLIENT_IP;
      case DomainName ignored -> Check.SENDER_DOMAIN;
      case NamePattern pattern -> pattern.isOfAddresses() ? Check.SENDER : Check.SENDER_DOMAIN;
      case MailAddress ignored -> Check.SENDER;
      case WebUrl ignored -> Check.URL;
      case Fingerprint ignored -> Check.ATTACHMENT;
      case Likeness ignored -> Check.BODY;
      case AsNumber ignored -> Check.ASN;
    };
  }
}
