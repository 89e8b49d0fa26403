package io.bloomgate.config.settings;

import io.bloomgate.config.settings.Problem.Severity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The text of a file of domains: a name a line, or a Postfix map as {@code postmap} reads it (key,
 * white space, value; a line that begins with white space continues the one above). Used by {@link
 * DomainFile}. Pure.
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
      String name = Names.ownDomain(word.substring(0, word.length() - bare.length()) + ascii(bare));
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
