package io.bloomgate.blocklists.explain;

import io.bloomgate.blocklists.decision.Ground;
import io.bloomgate.blocklists.decision.Grounds.Pardon;
import io.bloomgate.blocklists.decision.Stage;
import io.bloomgate.blocklists.decision.Verdict;
import io.bloomgate.blocklists.index.RangeTally;
import io.bloomgate.blocklists.operator.OperatorEntry;
import io.bloomgate.blocklists.refresh.ListingOrigin;
import io.bloomgate.blocklists.score.FeedPromotion;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.settings.Mode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The answer to {@code explain}. Immutable.
 *
 * @param subject what was asked about, canonical
 * @param kind the check that decided, or the check of this kind of subject
 * @param verdict as of mode enforce
 * @param stage where a client would get it
 * @param mode what is done with the verdict
 * @param offline true when no gateway answered
 * @param at the time whose lists were asked, {@code null} for now
 * @param listings everything that feeds and blocks say, what decides first, then what is pardoned
 * @param bloom what the filter said of the subject
 * @param range what is listed inside a network and around it, {@code null} unless one was asked
 * @param allow the entry that pardoned, or that covers a subject that is not listed
 * @param steps the commands that undo a refusal, narrowest first; empty when there is none
 * @param notes sentences for a person
 * @param carried the keys of a mail that a list or an entry of the operator says something of
 */
public record Explanation(
    String subject,
    Check kind,
    Verdict verdict,
    Stage stage,
    Mode mode,
    boolean offline,
    @Nullable Instant at,
    List<Line> listings,
    ExplanationJson.Bloom bloom,
    @Nullable RangeTally range,
    @Nullable OperatorEntry allow,
    List<Undo.Step> steps,
    List<String> notes,
    List<Carried> carried) {

  /** The subject of an answer about a mail. */
  static final String OF_MAIL = "mail";

  public Explanation {
    listings = List.copyOf(listings);
    steps = List.copyOf(steps);
    notes = List.copyOf(notes);
    carried = List.copyOf(carried);
  }

  /**
   * The findings about one key of a mail.
   *
   * @param number of the key in the question, from 0
   * @param listings what counts first
   * @param allow the entry that lifts listings, or that would
   */
  public record Carried(int number, List<Line> listings, @Nullable OperatorEntry allow) {
    public Carried {
      listings = List.copyOf(listings);
    }
  }

  /**
   * One listing.
   *
   * @param since {@code null} when it is not known
   * @param origin of a feed's listing; {@code null} for the operator's entries, and when it is not
   *     known
   * @param pardon {@code null} while the listing counts
   */
  public record Line(
      Ground.Found ground,
      @Nullable Instant since,
      @Nullable ListingOrigin origin,
      @Nullable Pardon pardon) {

    /** True when the entry may have been listed before {@link #since}. */
    public boolean sinceAtLeast() {
      return origin != null && origin.atLeast();
    }

    /** Returns the time at which the feed dropped the entry; {@code null} while it is listed. */
    public @Nullable Instant until() {
      return origin == null ? null : origin.until();
    }
  }

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

  /** The same with more sentences behind the others. */
  Explanation withNotes(List<String> more) {
    return with(at, steps, Stream.concat(notes.stream(), more.stream()).toList());
  }

  /** The same as the answer of a time, which no command can undo. */
  Explanation asOf(Instant time, List<String> more) {
    return with(time, List.of(), Stream.concat(more.stream(), notes.stream()).toList());
  }

  private Explanation with(@Nullable Instant time, List<Undo.Step> undo, List<String> words) {
    return new Explanation(
        subject, kind, verdict, stage, mode, offline, time, listings, bloom, range, allow, undo,
        words, carried);
  }

  /** The command that undoes a refusal and nothing else, {@code null} when there is none. */
  public @Nullable String undo() {
    return steps.isEmpty() ? null : steps.getFirst().command();
  }

  /** The commands that lift more than that. */
  public List<ExplanationJson.Wider> wider() {
    return steps.stream()
        .skip(1)
        .map(step -> new ExplanationJson.Wider(step.command(), step.lifts()))
        .toList();
  }

  /** Says what {@link #undo} ends and what it leaves, where that is more than one listing. */
  public List<String> undoNotes() {
    return steps.isEmpty() ? List.of() : steps.getFirst().notes();
  }

  /** Says the same as {@link Verdict#refuses}, for the command line: exit code 1. */
  public boolean refuses() {
    return verdict.refuses();
  }

  /** Says the same of an explanation or a session as JSON has it, by the word of its verdict. */
  public static boolean refuses(JsonObject written) {
    return Verdict.refuses(written.text("verdict").orElse(""));
  }

  /**
   * The documented object; of the keys of a mail those only that something is said of. The command
   * line puts the other keys between them.
   */
  public JsonObject toJson() {
    return JsonRecords.of(ExplanationJson.of(this));
  }
}
