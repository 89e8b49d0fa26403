package io.bloomgate.cli.command;

import io.bloomgate.blocklists.filter.FilterKind;
import io.bloomgate.blocklists.operator.migration.Migration.Origin;
import io.bloomgate.blocklists.sessions.SessionCounts;
import io.bloomgate.blocklists.sessions.SessionQuery;
import io.bloomgate.blocklists.sessions.TopBy;
import io.bloomgate.config.catalogue.Profile;
import io.bloomgate.config.name.Check;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.HostPort;
import io.bloomgate.config.notation.Quantities;
import io.bloomgate.config.notation.Suggestion;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings.Feeds.Match;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The values of arguments that are more than plain text: converters by their type, or named by the
 * option, and the words of closed sets as candidates for completion. Immutable.
 */
public final class Values {

  private Values() {}

  /** Shells for which {@code completion} prints a script. */
  public enum Shell {
    BASH,
    ZSH,
    FISH
  }

  /** Lets the commands of a tree take values of these types. */
  public static void register(CommandLine tree) {
    Stream.of(
            GlobalOptions.Format.class,
            GlobalOptions.Color.class,
            Shell.class,
            Mode.class,
            Profile.class,
            Match.class,
            FilterKind.class,
            ListKind.class,
            Origin.class,
            Action.class)
        .forEach(type -> register(tree, type));
    tree.registerConverter(Duration.class, value -> quantity(Quantities::duration, value));
    tree.registerConverter(HostPort.class, value -> quantity(HostPort::nameServer, value));
  }

  private static <E> void register(CommandLine tree, Class<E> type) {
    tree.registerConverter(type, value -> type.getEnumConstants()[chosen(value, words(type))]);
  }

  /** The words for the values of an enum. */
  public static List<String> words(Class<?> type) {
    return Stream.of(type.getEnumConstants())
        .map(value ->
            value instanceof FilterKind kind
                ? kind.word()
                : ((Enum<?>) value).name().toLowerCase(Locale.ROOT))
        .toList();
  }

  /** The place of a word among others. */
  private static int chosen(String value, List<String> words) {
    int place = words.indexOf(value);
    if (place < 0) {
      throw new TypeConversionException(
          "`"
              + value
              + "` is not one of: "
              + String.join(", ", words)
              + Suggestion.closest(value, words)
                  .map(near -> "; did you mean `" + near + "`?")
                  .orElse(""));
    }
    return place;
  }

  /** Reads one word of a set, in lower case. Immutable. */
  abstract static class Word implements ITypeConverter<String>, Iterable<String> {
    private final List<String> words;

    Word(Stream<String> words) {
      this.words = words.toList();
    }

    @Override
    public String convert(String value) {
      return words.get(chosen(value, words));
    }

    @Override
    public Iterator<String> iterator() {
      return words.iterator();
    }
  }

  /** Scopes of an operator entry. */
  public static final class ScopeWord extends Word {
    public static final String ANY = "any";

    public ScopeWord() {
      super(Stream.concat(Check.OF_OPERATOR.stream().map(Check::key), Stream.of(ANY)));
    }
  }

  /** A check: the part of a transaction that is looked up in a feed. */
  public static final class CheckWord extends Word {
    CheckWord() {
      super(Stream.of(Check.values()).map(Check::key));
    }
  }

  /** Verdicts. */
  public static final class VerdictWord extends Word {
    VerdictWord() {
      super(SessionCounts.VERDICTS.stream());
    }
  }

  /** Verdicts of kept sessions. */
  public static final class KeptVerdictWord extends Word {
    KeptVerdictWord() {
      super(SessionQuery.VERDICTS.stream().sorted());
    }
  }

  /** The subject by which {@code top} counts. */
  public static final class TopWord extends Word {

    /** The word for what the running gateway counts, and no file holds. */
    public static final String CAMPAIGN = "campaign";

    /** The word for mail that mode observe let pass; the running gateway knows good senders. */
    public static final String SPARED = "spared";

    TopWord() {
      super(Stream.concat(Stream.of(TopBy.values()).map(TopBy::key), Stream.of(CAMPAIGN, SPARED)));
    }
  }

  /** Reads a value as the settings do. */
  @FunctionalInterface
  private interface Notation<T> {
    T read(String text) throws BadValueException;
  }

  private static <T> T quantity(Notation<T> notation, String value) {
    try {
      return notation.read(value);
    } catch (BadValueException e) {
      throw new TypeConversionException(e.problem() + "; " + e.hint());
    }
  }

  /** Reads how long something is to last, {@code 1h}; not {@code 0s}. */
  public static final class SpanConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String value) {
      return quantity(Quantities::span, value);
    }
  }

  /** Reads {@code 50MiB} and other sizes, as the settings do. */
  public static final class SizeConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String value) {
      return quantity(Quantities::size, value);
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
