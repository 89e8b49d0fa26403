package io.bloomgate.cli.command;

import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.operator.migration.Migration.Origin;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.blocklists.sessions.TopBy;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.BadValueException;
import io.bloomgate.config.settings.HostPort;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Profile;
import io.bloomgate.config.settings.Quantities;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import io.bloomgate.config.settings.Suggestion;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The converters for arguments that are more than plain text: the converters of all options, and
 * the words of closed sets as candidates for completion. Immutable.
 */
public final class Values {

  private Values() {}

  /** Reads one word of a set, in lower case. Immutable. */
  abstract static class Word<E> implements ITypeConverter<E>, Iterable<String> {
    private final Map<String, E> words;

    Word(Map<String, E> words) {
      this.words = words;
    }

    @Override
    public E convert(String value) {
      E found = words.get(value);
      if (found == null) {
        throw new TypeConversionException(
            "`"
                + value
                + "` is not one of: "
                + String.join(", ", words.keySet())
                + Suggestion.closest(value, words.keySet())
                    .map(near -> "; did you mean `" + near + "`?")
                    .orElse(""));
      }
      return found;
    }

    @Override
    public Iterator<String> iterator() {
      return words.keySet().iterator();
    }
  }

  private static <E extends Enum<E>> Map<String, E> of(Class<E> type) {
    Map<String, E> words = new LinkedHashMap<>();
    for (E value : type.getEnumConstants()) {
      words.put(value.name().toLowerCase(Locale.ROOT), value);
    }
    return words;
  }

  private static Map<String, String> of(String... texts) {
    Map<String, String> words = new LinkedHashMap<>();
    Arrays.stream(texts).forEach(t -> words.put(t, t));
    return words;
  }

  /** Forms of output. */
  static final class FormatWord extends Word<GlobalOptions.Format> {
    FormatWord() {
      super(of(GlobalOptions.Format.class));
    }
  }

  /** Uses of colour. */
  static final class ColorWord extends Word<GlobalOptions.Color> {
    ColorWord() {
      super(of(GlobalOptions.Color.class));
    }
  }

  /** Shells for which {@code completion} prints a script. */
  public enum Shell {
    BASH,
    ZSH,
    FISH
  }

  /** The words of {@link Shell}. */
  public static final class ShellWord extends Word<Shell> {
    ShellWord() {
      super(of(Shell.class));
    }
  }

  /** Modes. */
  public static final class ModeWord extends Word<Mode> {
    ModeWord() {
      super(of(Mode.class));
    }
  }

  /** A profile: says how much the first settings catch. */
  public static final class ProfileWord extends Word<Profile> {
    ProfileWord() {
      super(of(Profile.class));
    }
  }

  /** A word that says how names are compared. */
  public static final class MatchWord extends Word<Match> {
    MatchWord() {
      super(of(Match.class));
    }
  }

  /** The operator's lists. */
  public static final class ListWord extends Word<ListKind> {
    ListWord() {
      super(of(ListKind.class));
    }
  }

  /** Kinds of mail software whose lists are imported. */
  public static final class OriginWord extends Word<Origin> {
    OriginWord() {
      super(of(Origin.class));
    }
  }

  /** Kinds of filter. */
  public static final class KindWord extends Word<FilterKind> {
    KindWord() {
      super(kinds());
    }

    private static Map<String, FilterKind> kinds() {
      Map<String, FilterKind> words = new LinkedHashMap<>();
      for (FilterKind kind : FilterKind.values()) {
        words.put(kind.word(), kind);
      }
      return words;
    }
  }

  /** Scopes of an operator entry. */
  public static final class ScopeWord extends Word<String> {
    public static final String ANY = "any";

    public ScopeWord() {
      super(checksAndAny());
    }

    private static Map<String, String> checksAndAny() {
      Map<String, String> words =
          of(Check.OF_OPERATOR.stream().map(Check::key).toArray(String[]::new));
      words.put(ANY, ANY);
      return words;
    }
  }

  /** A check: the part of a transaction that is looked up in a feed. */
  public static final class CheckWord extends Word<String> {
    CheckWord() {
      super(of(Arrays.stream(Check.values()).map(Check::key).toArray(String[]::new)));
    }
  }

  /** The action that a listing of a feed asks for. */
  public static final class ActionWord extends Word<Action> {
    ActionWord() {
      super(of(Action.class));
    }
  }

  /** Verdicts. */
  public static final class VerdictWord extends Word<String> {
    VerdictWord() {
      super(
          of(
              "accept",
              "tag",
              "greylist",
              "tempfail",
              "reject",
              "would_tag",
              "would_greylist",
              "would_tempfail",
              "would_reject"));
    }
  }

  /** Verdicts of kept sessions. */
  public static final class KeptVerdictWord extends Word<String> {
    KeptVerdictWord() {
      super(of(SessionQuery.VERDICTS.stream().sorted().toArray(String[]::new)));
    }
  }

  /** The subject by which {@code top} counts. */
  public static final class TopWord extends Word<String> {

    /** The word for what the running gateway counts, and no file holds. */
    public static final String CAMPAIGN = "campaign";

    /** The word for mail that mode observe let pass; the running gateway knows good senders. */
    public static final String SPARED = "spared";

    TopWord() {
      super(
          of(
              Stream.concat(
                      Arrays.stream(TopBy.values()).map(TopBy::key), Stream.of(CAMPAIGN, SPARED))
                  .toArray(String[]::new)));
    }
  }

  /** Reads {@code 7d} and other durations, as the settings do. */
  public static final class DurationConverter implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String value) {
      try {
        return Quantities.duration(value);
      } catch (BadValueException e) {
        throw new TypeConversionException(e.problem() + "; " + e.hint());
      }
    }
  }

  /** Reads how long something is to last, {@code 1h}; not {@code 0s}. */
  public static final class SpanConverter implements ITypeConverter<Duration> {

    @Override
    public Duration convert(String value) {
      try {
        return Quantities.span(value);
      } catch (BadValueException e) {
        throw new TypeConversionException(e.problem() + "; " + e.hint());
      }
    }
  }

  /** Reads {@code 50MiB} and other sizes, as the settings do. */
  public static final class SizeConverter implements ITypeConverter<Long> {

    @Override
    public Long convert(String value) {
      try {
        return Quantities.size(value);
      } catch (BadValueException e) {
        throw new TypeConversionException(e.problem() + "; " + e.hint());
      }
    }
  }

  /** Reads the address of a name server, with or without a port. */
  public static final class NameServerConverter implements ITypeConverter<HostPort> {

    @Override
    public HostPort convert(String value) {
      try {
        return HostPort.nameServer(value);
      } catch (BadValueException e) {
        throw new TypeConversionException(e.problem() + "; " + e.hint());
      }
    }
  }

  /** Reads a ratio of false positives: {@code 0.001}, {@code 1e-3}. */
  public static final class RateConverter implements ITypeConverter<Double> {

    private static final Pattern NUMBER =
        Pattern.compile("[0-9]{0,9}(?:\\.[0-9]{1,20})?(?:[eE]-?[0-9]{1,3})?");

    @Override
    public Double convert(String value) {
      if (NUMBER.matcher(value).matches() && !value.isEmpty() && value.charAt(0) <= '9') {
        double rate = Double.parseDouble(value);
        if (rate > 0 && rate < 1) {
          return rate;
        }
      }
      throw new TypeConversionException(
          "`" + value + "` is not a ratio between 0 and 1; write for example 0.001 for 0.1 %");
    }
  }
}
