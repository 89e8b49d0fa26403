package io.bloomgate.config.settings;

import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Names;
import io.bloomgate.config.notation.Shown;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.settings.yaml.Problem;
import io.bloomgate.config.settings.yaml.Problem.Severity;
import io.bloomgate.config.settings.yaml.Surroundings.Reading;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A file that {@code domains} names: the names that count, and what is wrong with its content. Read
 * with the settings, and by the gateway's housekeeping when it changes. A file that cannot be used
 * as it is keeps the names of before: mail for them is good mail. Immutable.
 *
 * @param below true when each name counts with all below it: {@code .file:PATH}
 * @param names that count, as {@code Settings.domains} has them, each once
 * @param held why the names of before count; empty while those of the file do
 * @param badLines lines that name no domain, the first of many
 */
public record DomainFile(
    Path path, boolean below, List<String> names, String held, List<Problem> badLines) {

  /** Names that one file may hold. */
  public static final int MAX_NAMES = 5_000;

  /** Size of one file (4 MiB): the values of a map are read over. */
  static final int MAX_OCTETS = 4 << 20;

  private static final String PREFIX = "file:";
  private static final String BELOW = ".";

  /** The reader of one element of {@code domains}; the path of a file becomes absolute. */
  public static Values.Reader<String> element(Path base) {
    return Values.noted(
        "domain, or file:PATH",
        text -> {
          int path = pathAt(text);
          return path < 0
              ? Names.ownDomain(text)
              : text.substring(0, path) + Values.path(base).read(text.substring(path));
        });
  }

  /** True for an element that names a file. */
  public static boolean isFile(String element) {
    return pathAt(element) >= 0;
  }

  private static int pathAt(String element) {
    return element.startsWith(PREFIX)
        ? PREFIX.length()
        : element.startsWith(BELOW + PREFIX) ? BELOW.length() + PREFIX.length() : -1;
  }

  /** Reads the file of an element; {@code former} are the names that counted before. */
  static DomainFile read(String element, List<String> former, Reading reading) {
    DomainFile unread =
        new DomainFile(
            Path.of(element.substring(pathAt(element))),
            element.startsWith(BELOW),
            former,
            "",
            List.of());
    return reading == Reading.OFF ? unread : unread.read(reading);
  }

  /** Reads a file of which nothing was known before. */
  public static DomainFile first(Path path, boolean below) {
    return new DomainFile(path, below, List.of(), "", List.of()).again();
  }

  /** The names in a text of the same form. */
  public static List<String> names(Path path, String text, boolean below) {
    return DomainLines.read(path, text, below).names();
  }

  /** The element of {@code domains} that names it. */
  public String element() {
    return (below ? BELOW : "") + PREFIX + path;
  }

  /** Reads the file again; the names that count now are those of before. */
  public DomainFile again() {
    return read(Reading.GUARDED);
  }

  private DomainFile read(Reading reading) {
    // A pipe would be waited for, perhaps for ever.
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      return held("is no regular file", List.of());
    }
    try (InputStream in = Files.newInputStream(path)) {
      byte[] octets = in.readNBytes(MAX_OCTETS + 1);
      return octets.length > MAX_OCTETS
          ? held("is larger than " + MAX_OCTETS + " octets", List.of())
          // Comments may be in any charset; names are ASCII.
          : judged(
              DomainLines.read(path, new String(octets, StandardCharsets.UTF_8), below), reading);
    } catch (IOException e) {
      return held("cannot be read (" + Faults.reason(e) + ")", List.of());
    }
  }

  private DomainFile judged(DomainLines lines, Reading reading) {
    int fresh = lines.names().size();
    if (fresh == 0) {
      String first =
          lines.badLines().stream()
              .findFirst()
              .map(bad -> " (line " + bad.line() + ": " + bad.message() + ")")
              .orElse("");
      return held("names no domain" + first, lines.badLines());
    }
    if (fresh > MAX_NAMES) {
      return held("names more than " + MAX_NAMES + " domains", List.of());
    }
    if (2 * fresh < names.size() && reading == Reading.GUARDED) {
      return held(
          "names " + fresh + " of the " + names.size() + " domains that it named",
          lines.badLines());
    }
    Set<String> all = new LinkedHashSet<>(lines.names());
    if (reading == Reading.GUARDED && !lines.badLines().isEmpty() && all.addAll(names)) {
      // A line with a slip of the pen may be that of a domain that counted.
      return new DomainFile(
          path,
          below,
          List.copyOf(all),
          "lacks %d of its former domains, and line %d names none"
              .formatted(all.size() - fresh, lines.badLines().getFirst().line()),
          lines.badLines());
    }
    return new DomainFile(path, below, lines.names(), "", lines.badLines());
  }

  private DomainFile held(String why, List<Problem> lines) {
    return new DomainFile(path, below, names, why, lines);
  }

  /** Says what is wrong with the file as a clause; empty when it is in use as it is. */
  public String problem() {
    if (!held.isEmpty()) {
      return "domains: " + Shown.bare(path.toString()) + " " + held + ": the former names count";
    }
    return badLines.isEmpty()
        ? ""
        : "domains: not every line names a domain, and mail for it is refused: "
            + badLines.getFirst();
  }

  /** Says what to do about {@link #problem}. */
  public String fix() {
    return held.isEmpty()
        ? ""
        : "put the file right; where it is right, `bloomgate config reload --accept-domains` takes"
            + " it, unless it names none";
  }

  /**
   * The text of a file of domains: a name a line, or a Postfix map as {@code postmap} reads it
   * (key, white space, value; a line that begins with white space continues the one above). Used by
   * {@link DomainFile}. Pure.
   *
   * @param names in the order of the file, as {@code Settings.domains} has them
   * @param badLines that name no domain; after the first {@link #MAX_NAMED} their number
   */
  record DomainLines(List<String> names, List<Problem> badLines) {

    /** Lines that are named one by one. */
    static final int MAX_NAMED = 10;

    private static final String HINT = "begin each line with one domain, for example example.com";

    static DomainLines read(Path file, String text, boolean below) {
      Reader reader = new Reader(file, below);
      int number = 0;
      for (String line : text.split("\r?\n", -1)) {
        reader.line(++number, line);
      }
      return reader.end();
    }

    private static final class Reader {
      private final Path file;
      private final boolean below;
      private final Set<String> names = new LinkedHashSet<>();
      private final List<Problem> bad = new ArrayList<>();

      /** Lines of mail addresses: a map of aliases holds them beside its domains. */
      private int addresses;

      private int firstAddress;
      private int unnamed;

      /** The entry above is a key alone, so that a line may be meant as its value or as a name. */
      private boolean openKey;

      Reader(Path file, boolean below) {
        this.file = file;
        this.below = below;
      }

      void line(int number, String line) {
        String bare = line.strip();
        if (bare.isEmpty() || bare.startsWith("#")) {
          return;
        }
        String[] words = bare.split("[\\s\u0000]+", 2);
        if (Character.isWhitespace(line.charAt(0))) {
          continued(number, words);
          openKey = false;
          return;
        }
        openKey = words.length == 1;
        if (words[0].indexOf('@') >= 0) {
          firstAddress = addresses++ == 0 ? number : firstAddress;
          return;
        }
        try {
          String name = name(words[0]);
          names.add(below && !name.startsWith(".") ? Names.ownDomain("." + name) : name);
        } catch (BadValueException e) {
          bad(number, e.problem(), HINT);
        }
      }

      /** A value is read over; a name that was only indented must not be lost without a word. */
      private void continued(int number, String[] words) {
        try {
          if (openKey && words.length == 1) {
            String name = name(words[0]);
            bad(
                number,
                Shown.quoted(name) + " continues the line above, as in a Postfix map",
                "begin the line with the domain");
          }
        } catch (BadValueException e) {
          // It is the value of the key above.
        }
      }

      /** A single label is no domain of mail from outside; a map of aliases has users as keys. */
      private static String name(String word) throws BadValueException {
        String bare = word.startsWith(".") ? word.substring(1) : word;
        String name =
            Names.ownDomain(word.substring(0, word.length() - bare.length()) + ascii(bare));
        if (name.indexOf('.', 1) < 0) {
          throw BadValueException.of(word, "is no domain of mail", HINT);
        }
        return name;
      }

      private static String ascii(String name) {
        return name.chars().allMatch(c -> c < 0x80) ? name : Names.aLabels(name).orElse(name);
      }

      private void bad(int number, String what, String hint) {
        if (bad.size() < MAX_NAMED) {
          bad.add(problem(number, what, hint));
        } else {
          unnamed++;
        }
      }

      private Problem problem(int number, String what, String hint) {
        return new Problem(Severity.WARNING, file.toString(), number, 1, what, hint);
      }

      DomainLines end() {
        if (unnamed > 0) {
          bad.add(problem(0, unnamed + " more lines name no domain", HINT));
        }
        if (addresses > 0) {
          bad.add(
              problem(
                  firstAddress,
                  (addresses == 1 ? "one line names" : addresses + " lines name")
                      + " mail addresses and no domain",
                  "name a file of domains; mail is taken for the whole of a domain"));
        }
        return new DomainLines(List.copyOf(names), List.copyOf(bad));
      }
    }
  }
}
