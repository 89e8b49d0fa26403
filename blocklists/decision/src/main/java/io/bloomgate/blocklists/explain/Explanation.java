package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Ground.Found;
import io.bloomgate.blocklists.decision.Ground.Weakness;
import io.bloomgate.blocklists.decision.Grounds.Pardon;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.generation.Partition;
import io.bloomgate.blocklists.index.Listing;
import io.bloomgate.blocklists.index.RangeTally;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.refresh.ListingOrigin;
import io.bloomgate.blocklists.score.FeedPromotion;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonRecords.Inline;
import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.AsNumber;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.DomainName;
import io.bloomgate.config.name.Fingerprint;
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
 * The answer to {@code explain}, with the members that JSON has: about a subject, about a mail, and
 * about an incident. Made by {@link Explainer}, and of a kept session by the gateway. Immutable.
 *
 * @param subject what was asked about, canonical
 * @param kind the check that decided, or the check of this kind of subject
 * @param verdict the word of mode enforce; {@code null} when no list decided
 * @param stage where a client would get it
 * @param mode what is done with the verdict
 * @param offline true when no gateway answered
 * @param at the time whose lists were asked; {@code null} for now
 * @param listings everything that feeds and blocks say, what decides first, then what is pardoned
 * @param bloom what the filter said of the subject
 * @param range what is listed inside a network and around it, {@code null} unless one was asked
 * @param allow the entry that pardoned, or that covers a subject that is not listed
 * @param undo the command that undoes a refusal and nothing else, {@code null} when there is none
 * @param undoWider the commands that lift more than that
 * @param incident the id of the session; {@code null} for an answer about now
 * @param notes sentences for a person
 * @param keys what is said of keys of a mail; those that nothing is said of are missing
 */
public record Explanation(
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

    /** True for the listing of a feed, whose entries have lines. */
    boolean isOfFeed() {
      return line != null;
    }

    /**
     * A listing.
     *
     * @param origin of a feed's listing; {@code null} for others, and when it is not known
     * @param past true in an answer about the past
     */
    static Listed of(
        Found ground, @Nullable ListingOrigin origin, @Nullable Pardon pardon, boolean past) {
      OperatorEntry block = ground instanceof Ground.Blocked blocked ? blocked.block() : null;
      Instant since = origin == null ? null : origin.since();
      return new Listed(
          ground.source(),
          ground.entry(),
          number(ground.line()),
          block == null ? since : block.created(),
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
          pardon == null ? null : GroundText.why(pardon));
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

    /** The word of the filter that is asked about a subject; that of addresses for no subject. */
    public static String filterOf(String subject) {
      return Subject.parse(subject)
          .map(about -> Partition.of(about.keys().getFirst()))
          .toOptional()
          .orElse(Partition.IP)
          .word();
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
              Explanation.kind(entry.subject()),
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

  /** The subject of an answer about a mail. */
  static final String OF_MAIL = "mail";

  /** Finds the version that a listing comes from, and since when the feed lists the entry. */
  @FunctionalInterface
  public interface Origins {
    /** The origin, {@code null} when it is not known. */
    @Nullable ListingOrigin of(Ground.Listed listed);

    /** Returns what moved the action of a list away from the settings, or may do so. */
    default Optional<FeedPromotion> promotion(String list) {
      return Optional.empty();
    }
  }

  /** The same with more sentences. */
  Explanation withNotes(List<String> first, List<String> last) {
    List<String> all = Stream.of(first, notes, last).flatMap(List::stream).toList();
    return new Explanation(
        subject,
        kind,
        verdict,
        stage,
        mode,
        generation,
        offline,
        at,
        listings,
        bloom,
        range,
        allow,
        undo,
        undoWider,
        incident,
        all,
        keys);
  }

  /** The note of an answer about the past on an entry of a list that is not asked now. */
  static final String WAS_OFF =
      "feed %s listed %s then; it is off or not in the settings now, so it does not count";

  /**
   * Names the entries of feeds at that time, for a mail that none of them was against: in an answer
   * about the past, by the settings of now.
   */
  public List<String> uncounted() {
    String off = WAS_OFF.substring(WAS_OFF.indexOf(';'));
    return Stream.concat(
            listings.stream()
                .filter(Listed::isOfFeed)
                .map(listed ->
                    ("feed %s listed %s then, and did not count: it was switched off or too old, or"
                            + " the settings were others")
                        .formatted(listed.feed(), listed.entry())),
            notes.stream().filter(note -> note.endsWith(off)))
        .toList();
  }

  /** The notes that say what {@link #undo} ends and what it leaves. */
  public List<String> undoNotes() {
    return notes.stream().filter(note -> note.startsWith(Undo.NOTE)).toList();
  }

  /** Says the same as {@link Verdict#refuses}, for the command line: exit code 1. */
  public boolean refuses() {
    return verdict != null && Verdict.refuses(verdict);
  }

  /** Says the same of an explanation or a session as JSON has it, by the word of its verdict. */
  public static boolean refuses(JsonObject written) {
    return Verdict.refuses(written.text("verdict").orElse(""));
  }

  /** The documented object. */
  public JsonObject toJson() {
    return JsonRecords.of(this);
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
