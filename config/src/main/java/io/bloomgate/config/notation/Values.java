package io.bloomgate.config.notation;

import io.bloomgate.config.name.Keyed;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

/** Readers of single values, with their bounds; every refusal says how to fix it. Pure. */
public final class Values {

  /** Turns the text of one setting into its value; pure. */
  @FunctionalInterface
  public interface Reader<T> {

    /** The value. */
    T read(String text) throws BadValueException;

    /**
     * The notation of a value: its kind with bounds, or the words to choose from; for the manual.
     */
    default String notation() {
      return "text";
    }

    /** Makes of a text what may be seen: it may hold a key. */
    default String shown(String text) {
      return text;
    }
  }

  /** A reader that says how its values are written, and what of them may be seen. */
  private record Noted<T>(String notation, UnaryOperator<String> hiding, Reader<T> reader)
      implements Reader<T> {
    @Override
    public T read(String text) throws BadValueException {
      return reader.read(text);
    }

    @Override
    public String shown(String text) {
      return hiding.apply(text);
    }
  }

  /**
   * Reads one word of a closed set. Immutable.
   *
   * @param words with their values, in the order of the documentation
   */
  public record Choice<E>(Map<String, E> words) implements Reader<E> {

    @Override
    public String notation() {
      List<String> all = List.copyOf(words.keySet());
      return all.size() < 2
          ? String.join("", all)
          : String.join(", ", all.subList(0, all.size() - 1)) + " or " + all.getLast();
    }

    @Override
    public E read(String text) throws BadValueException {
      E value = words.get(text);
      if (value != null) {
        return value;
      }
      throw BadValueException.of(
          text,
          "is not one of: " + String.join(", ", words.keySet()),
          Suggestion.hint(text, words.keySet(), "choose one of them"));
    }
  }

  private static final int MAX_PORT = 65_535;

  /** The schemes of web addresses. */
  public static final Set<String> WEB = Set.of("http", "https");

  /** The example of a port. */
  private static final int SMTP_PORT = 25;

  /** Longest path of a Unix socket in octets: {@code sun_path} holds 108 with its zero. */
  private static final int MAX_SOCKET_PATH_OCTETS = 107;

  public static final Reader<Boolean> BOOLEAN =
      noted(
          "true or false",
          text -> {
            if (text.equals("true") || text.equals("false")) {
              return text.equals("true");
            }
            throw BadValueException.of(text, "is neither true nor false", "write true or false");
          });

  private Values() {}

  /** The reader, which says how its values are written. */
  public static <T> Reader<T> noted(String notation, Reader<T> reader) {
    return new Noted<>(notation, UnaryOperator.identity(), reader);
  }

  /** The same for a text that may hold a key: {@code shown} makes of it what may be seen. */
  public static <T> Reader<T> hidden(
      String notation, UnaryOperator<String> shown, Reader<T> reader) {
    return new Noted<>(notation, shown, reader);
  }

  /** Reads a default, which is right by the program. */
  public static <T> T standard(String fallback, Reader<T> reader) {
    try {
      return reader.read(fallback);
    } catch (BadValueException e) {
      throw new IllegalStateException("a default is wrong: " + fallback, e);
    }
  }

  /** Reads a text that has to have a form. */
  public static Reader<String> matching(String notation, String form, String problem, String hint) {
    return noted(
        notation,
        text -> {
          if (!text.matches(form)) {
            throw BadValueException.of(text, problem, hint);
          }
          return text;
        });
  }

  /** The same, or nothing for an empty text. */
  public static <T> Reader<Optional<T>> optional(Reader<T> reader) {
    return optional(reader.notation(), "", reader);
  }

  /** The same, or nothing for {@code none}. */
  public static <T> Reader<Optional<T>> orNone(Reader<T> reader) {
    return optional(reader.notation() + ", or none", "none", reader);
  }

  private static <T> Reader<Optional<T>> optional(
      String notation, String nothing, Reader<T> reader) {
    return hidden(
        notation,
        reader::shown,
        text -> text.equals(nothing) ? Optional.empty() : Optional.of(reader.read(text)));
  }

  /** The constants of a list, each once, in the order of the enum. */
  public static <E extends Enum<E>> Set<E> set(List<E> values) {
    return values.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(values));
  }

  /** The keys of these constants, for people. */
  public static String keys(Collection<? extends Keyed> constants) {
    return constants.stream().map(Keyed::key).collect(Collectors.joining(", "));
  }

  /** Reads one of these values by its name. */
  public static <E> Choice<E> choice(List<E> values, Function<E, String> word) {
    Map<String, E> words = new LinkedHashMap<>();
    values.forEach(value -> words.put(word.apply(value), value));
    return new Choice<>(Collections.unmodifiableMap(words));
  }

  /** A constant of an enum by its key, or in lower case with {@code -} for {@code _}. */
  public static <E extends Enum<E>> Choice<E> dashed(Class<E> type) {
    return choice(
        List.of(type.getEnumConstants()),
        constant ->
            constant instanceof Keyed keyed
                ? keyed.key()
                : constant.name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  public static Reader<Integer> integer(int min, int max) {
    return integer(min, max, min);
  }

  private static Reader<Integer> integer(int min, int max, int example) {
    Reader<Long> reader =
        bounded("number", text -> Quantities.wholeNumber(text, "" + example), "" + min, "" + max);
    return noted("whole number, " + min + " to " + max, text -> Math.toIntExact(reader.read(text)));
  }

  public static Reader<Duration> duration(String min, String max) {
    return bounded("duration", Quantities::duration, min, max);
  }

  public static Reader<Long> size(String min, String max) {
    return bounded("size", Quantities::size, min, max);
  }

  public static Reader<Double> percent(int max) {
    return bounded("percentage", Quantities::percent, "0%", max + "%");
  }

  /** A reader with bounds in the notation of the value. */
  private static <T extends Comparable<T>> Reader<T> bounded(
      String kind, Reader<T> reader, String min, String max) {
    return noted(
        kind + ", " + min + " to " + max,
        text -> {
          T value = reader.read(text);
          if (value.compareTo(reader.read(min)) < 0 || value.compareTo(reader.read(max)) > 0) {
            throw BadValueException.of(text, "is out of range", "from " + min + " to " + max);
          }
          return value;
        });
  }

  public static Reader<Double> probability(double max) {
    return noted(
        "ratio above 0, at most " + max,
        text -> {
          double value = Quantities.probability(text);
          if (value <= 0 || value > max) {
            throw BadValueException.of(text, "is out of range", "above 0, at most " + max);
          }
          return value;
        });
  }

  /** {@code HOST:PORT}; an IPv6 literal in brackets; port 0 takes any free one. */
  public static Reader<HostPort> hostPort() {
    return hostPort(0);
  }

  /** The same from a port on. */
  public static Reader<HostPort> hostPort(int firstPort) {
    return noted(
        "HOST:PORT",
        text -> {
          int colon = text.lastIndexOf(':');
          String hint = "write HOST:PORT, for example 127.0.0.1:25 or \"[::]:25\"";
          boolean bracketed = text.startsWith("[");
          if (colon <= 0 || (!bracketed && text.indexOf(':') != colon)) {
            throw BadValueException.of(text, "is not a host and a port", hint);
          }
          String host = text.substring(0, colon);
          if (bracketed && !host.endsWith("]")) {
            throw BadValueException.of(text, "has no port", hint);
          }
          return new HostPort(
              Names.host(host),
              integer(firstPort, MAX_PORT, SMTP_PORT).read(text.substring(colon + 1)));
        });
  }

  public static Reader<Integer> port() {
    return integer(1, MAX_PORT, SMTP_PORT);
  }

  /** A path; a relative one counts from the folder of the settings file. */
  public static Reader<Path> path(Path base) {
    return noted(
        "path",
        text -> {
          if (text.isEmpty()) {
            throw new BadValueException("the path is empty", "write a path");
          }
          try {
            return base.resolve(text).normalize();
          } catch (InvalidPathException e) {
            throw BadValueException.of(text, "is not a path", "remove the control characters");
          }
        });
  }

  /**
   * A path whose last part may be a pattern, by the rules of {@link
   * java.nio.file.FileSystem#getPathMatcher}.
   */
  public static Reader<Path> files(Reader<Path> reader) {
    return noted(
        "path, or pattern of paths",
        text -> {
          Path path = reader.read(text);
          try {
            String last = String.valueOf(path.getFileName());
            path.getFileSystem().getPathMatcher("glob:" + last);
            return path;
          } catch (PatternSyntaxException e) {
            throw BadValueException.of(
                text,
                "is not a pattern of files",
                "close each [ and {, or write \\ before the one that is a part of the name");
          }
        });
  }

  public static Reader<Path> socketPath(Reader<Path> reader) {
    return noted(
        "path",
        text -> {
          Path path = reader.read(text);
          if (path.toString().getBytes(java.nio.charset.StandardCharsets.UTF_8).length
              > MAX_SOCKET_PATH_OCTETS) {
            throw BadValueException.of(
                text,
                "is too long for a socket",
                "at most " + MAX_SOCKET_PATH_OCTETS + " octets; name a shorter path");
          }
          return path;
        });
  }

  /** An address with a host, of one of these schemes. */
  public static URI address(String text, Set<String> schemes, String problem, String hint)
      throws BadValueException {
    try {
      URI uri = new URI(text);
      String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
      if (uri.getHost() != null && schemes.contains(scheme)) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // The same is wrong with it.
    }
    throw new BadValueException(problem, hint);
  }

  /** A web address for replies, or nothing. */
  public static Reader<String> helpPage() {
    return noted(
        "web address",
        text -> {
          if (text.isEmpty()) {
            return text;
          }
          if (!text.matches("[!-~]{1,200}")) {
            throw BadValueException.of(
                text, "cannot be part of a reply", "at most 200 printable ASCII characters");
          }
          String problem = Shown.quoted(text) + " is not a web address";
          if (address(text, WEB, problem, "write https://HOST/PATH").getUserInfo() != null) {
            throw new BadValueException(
                "the web address has a user name or password", "it would not be sent; remove it");
          }
          return text;
        });
  }

  /** POSIX permission bits in octal. */
  public static Reader<Integer> fileMode() {
    return noted(
        "file mode in octal",
        text -> {
          if (!text.matches("0?[0-7]{3}")) {
            throw BadValueException.of(
                text, "is not a file mode", "write three octal digits, for example \"0660\"");
          }
          return Integer.parseInt(text, 8);
        });
  }
}
