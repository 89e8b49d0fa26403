package io.bloomgate.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.cli.command.CliException;
import io.bloomgate.config.settings.DomainFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The domains that the Postfix on this machine takes mail for, as elements of {@code domains}: asks
 * {@code postconf}. The texts of tables become files that the gateway reads again when they change.
 * Used by {@link InitCommand}; runs programs.
 */
final class PostfixDomains {

  /**
   * The outcome of one element of a parameter; {@code why} is empty where there is no more to say.
   */
  record Row(String parameter, String value, List<String> domains, String why) {
    Row {
      domains = List.copyOf(domains);
    }
  }

  /** The parameters of postconf(5) that name domains of recipients. */
  private static final List<String> PARAMETERS =
      List.of("mydestination", "relay_domains", "virtual_mailbox_domains", "virtual_alias_domains");

  /** Lists the parameters of which a domain means all below it too. */
  private static final String PARENTS = "parent_domain_matches_subdomains";

  /** Tables that {@code postmap} makes of a text file of the same name. */
  private static final Set<String> OF_TEXT =
      Set.of("hash", "btree", "lmdb", "cdb", "dbm", "sdbm", "texthash");

  private static final Pattern TABLE = Pattern.compile("(?:proxy:)?([a-z_]+):(.+)");
  private static final int SECONDS = 10;

  private final Map<String, String> environment;

  /**
   * Has asked nothing yet.
   *
   * @param environment of the programs
   */
  PostfixDomains(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Asks Postfix; a row for each element of its parameters. */
  List<Row> ask() throws CliException {
    List<String> words = new ArrayList<>(List.of("postconf", "-x"));
    words.addAll(PARAMETERS);
    words.add(PARENTS);
    Map<String, String> values = new LinkedHashMap<>();
    try {
      run(words)
          .lines()
          .forEach(line -> {
            int equals = line.indexOf('=');
            if (equals > 0) {
              values.put(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
            }
          });
    } catch (IOException e) {
      throw CliException.no(
          "Postfix was not asked: " + e.getMessage(),
          "name the domains: --domains example.com,example.org",
          e);
    }
    List<String> parents = elements(values.getOrDefault(PARENTS, ""));
    List<Row> rows = new ArrayList<>();
    for (String parameter : PARAMETERS) {
      for (String element : elements(values.getOrDefault(parameter, ""))) {
        rows.add(row(parameter, element, parents.contains(parameter)));
      }
    }
    return rows;
  }

  /** Elements are divided by blanks and commas, but not inside braces. */
  private static List<String> elements(String value) {
    List<String> elements = new ArrayList<>();
    StringBuilder element = new StringBuilder();
    int depth = 0;
    for (char c : (value + " ").toCharArray()) {
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (depth <= 0 && (c == ',' || Character.isWhitespace(c))) {
        if (!element.isEmpty()) {
          elements.add(element.toString());
        }
        element.setLength(0);
      } else {
        element.append(c);
      }
    }
    return elements.stream().distinct().toList();
  }

  private static Row row(String parameter, String element, boolean below) {
    Matcher table = TABLE.matcher(element);
    if (element.startsWith("/")) {
      return file(parameter, element, Path.of(element), below);
    }
    if (table.matches()) {
      return OF_TEXT.contains(table.group(1)) && table.group(2).startsWith("/")
          ? file(parameter, element, Path.of(table.group(2)), below)
          : left(
              parameter,
              element,
              "only tables that postmap makes of a text are understood; write its domains into a"
                  + " file and name it in `domains` as file:PATH");
    }
    if (element.startsWith("!")) {
      return left(parameter, element, "`domains` has no exceptions");
    }
    return name(parameter, element, below);
  }

  private static Row name(String parameter, String element, boolean below) {
    String bare = element.startsWith(".") ? element.substring(1) : element;
    if (bare.startsWith("localhost.") || bare.indexOf('.') < 0) {
      return left(parameter, element, "no mail comes from outside for it");
    }
    List<String> domains = DomainFile.names(Path.of(parameter), element, below);
    return domains.isEmpty()
        ? left(parameter, element, "it is not a domain")
        : new Row(parameter, element, domains, "");
  }

  private static Row left(String parameter, String element, String why) {
    return new Row(parameter, element, List.of(), why);
  }

  /**
   * A file of domains, or the text of a table, which the gateway reads again; where the text of a
   * table holds more than domains, they are copied.
   */
  private static Row file(String parameter, String element, Path path, boolean below) {
    DomainFile file = DomainFile.first(path, below);
    if (!file.held().isEmpty()) {
      return left(parameter, element, "its text " + file.held());
    }
    if (element.startsWith("/") && hasLinesOfSeveral(path)) {
      return left(parameter, element, "it has more than one in a line; write each on its own");
    }
    return file.badLines().isEmpty()
        ? new Row(parameter, element, List.of(file.element()), "")
        : new Row(
            parameter,
            element,
            file.names(),
            "they were copied, because its text holds more than domains");
  }

  private static boolean hasLinesOfSeveral(Path path) {
    try (Stream<String> lines = Files.lines(path, ISO_8859_1)) {
      return lines.map(String::strip).anyMatch(l -> !l.startsWith("#") && elements(l).size() > 1);
    } catch (IOException e) {
      return false; // it was read just now
    }
  }

  /** Runs {@code postconf}; answers with what it prints. */
  private String run(List<String> words) throws IOException {
    List<String> command = new ArrayList<>(words);
    // An ordinary user has no sbin in the path.
    Path usual = Path.of("/usr/sbin").resolve(words.getFirst());
    command.set(0, Files.isExecutable(usual) ? usual.toString() : words.getFirst());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.redirectError(ProcessBuilder.Redirect.DISCARD);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new IOException(words.getFirst() + " cannot be run on this machine", e);
    }
    var _ =
        process
            .onExit()
            .orTimeout(SECONDS, TimeUnit.SECONDS)
            .exceptionally(_ -> process.destroyForcibly());
    try (InputStream out = process.getInputStream()) {
      String printed = new String(out.readAllBytes(), UTF_8);
      if (process.waitFor() != 0) {
        throw new IOException(words.getFirst() + " failed (" + process.exitValue() + ")");
      }
      return printed;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(words.getFirst() + " was not waited for", e);
    }
  }
}
