package io.bloomgate.config.settings.yaml;

import io.bloomgate.config.json.JsonRecords.Rare;
import io.bloomgate.config.notation.Shown;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One key with the value that counts, for {@code config show}. Immutable.
 *
 * @param path the key and the sections around it, outermost first
 * @param value as YAML on one line
 * @param origin where it comes from
 * @param changed true when the value is not the default
 * @param notation how values of this key are written: kind and bounds, or the words to choose from
 */
public record EffectiveValue(
    List<String> path, String value, Origin origin, boolean changed, String notation) {

  private static final Pattern LINE = Pattern.compile("(.+):(\\d{1,9})");

  /** The same value of a key with another path. */
  public EffectiveValue at(List<String> other) {
    return new EffectiveValue(other, value, origin, changed, notation);
  }

  /** The same key with another value, as YAML on one line. */
  public EffectiveValue with(String other) {
    return new EffectiveValue(path, other, origin, changed, notation);
  }

  /** The same value from elsewhere. */
  public EffectiveValue from(Origin other) {
    return new EffectiveValue(path, value, other, changed, notation);
  }

  /**
   * A value that is in force, as the gateway tells it to commands.
   *
   * @param key the path with dots between
   * @param origin as {@code config show --origin} prints it
   * @param file that the value is in; empty for none
   */
  public record InForce(
      String key,
      List<String> path,
      String value,
      String origin,
      boolean changed,
      @Rare String file) {

    /** Tells this value. */
    public static InForce of(EffectiveValue sent) {
      return new InForce(
          String.join(".", sent.path),
          sent.path,
          sent.value,
          sent.origin.toString(),
          sent.changed,
          sent.origin instanceof Origin.FileLine(String file, int _)
              ? Path.of(file).toAbsolutePath().toString()
              : "");
    }

    /** The value that was sent; nobody sent its notation. */
    public EffectiveValue effective() {
      return new EffectiveValue(path, value, Origin.of(origin), changed, "");
    }
  }

  /** The source of a value; {@code toString} is what {@code config show --origin} prints. */
  public sealed interface Origin {
    /** The origin with this text, as another process printed it. */
    static Origin of(String text) {
      if (text.equals(new Default().toString())) {
        return new Default();
      }
      String variable = new Environment("").toString();
      if (text.startsWith(variable)) {
        return new Environment(text.substring(variable.length()));
      }
      Matcher line = LINE.matcher(text);
      return line.matches()
          ? new FileLine(line.group(1), Integer.parseInt(line.group(2)))
          : new Command(text);
    }

    /** An environment variable. */
    record Environment(String name) implements Origin {
      @Override
      public String toString() {
        return "env " + name;
      }
    }

    /** A line of the file. */
    record FileLine(String file, int line) implements Origin {
      @Override
      public String toString() {
        return Shown.bare(file) + ":" + line;
      }
    }

    /** A command to the running gateway, until it ends. */
    record Command(String words) implements Origin {
      @Override
      public String toString() {
        return words;
      }
    }

    /** Neither file nor environment has it. */
    record Default() implements Origin {
      @Override
      public String toString() {
        return "default";
      }
    }
  }
}
