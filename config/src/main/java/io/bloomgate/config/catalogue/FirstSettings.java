package io.bloomgate.config.catalogue;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.HostPort;
import io.bloomgate.config.notation.Names;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.settings.DomainFile;
import io.bloomgate.config.settings.SettingsFile;
import io.bloomgate.config.settings.yaml.SettingsText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The first settings of a new gateway, for {@code bloomgate init}: the sample with the two values
 * that only the operator knows, and the feeds to begin with. Pure; immutable.
 *
 * @param downstream the mail server
 * @param domains own domains as settings have them, each once
 */
public record FirstSettings(HostPort downstream, List<String> domains) {

  private static final int SMTP_PORT = 25;

  /** Fewer mails a day are a small site, where few copies within a week are many. */
  public static final int SMALL_SITE_MAILS = 5_000;

  private static final String BULK = "  bulk: {networks: 3, copies: 4, window: 7d}";

  /** The comment above the lists. */
  private static final String FEEDS_HEAD =
      """
      `bloomgate feeds catalogue` shows all of it, and
        # `bloomgate feeds catalogue NAME` the lines to add here.
      """;

  /** The line of the sample in front of which the rules are written. */
  private static final String BEHIND_RULES =
      "# Entries of your own also come from `bloomgate allow add` and `block add`; these are lists"
          + " in files, an entry a line.";

  public FirstSettings {
    domains = List.copyOf(new LinkedHashSet<>(domains));
  }

  /**
   * Reads what the operator typed.
   *
   * @param downstream {@code HOST:PORT}; without a port 25 is meant
   * @param domains one or more
   * @throws BadValueException with the first thing that is wrong
   */
  public static FirstSettings of(String downstream, List<String> domains) throws BadValueException {
    HostPort server = named("--downstream", FirstSettings::server).read(downstream.strip());
    List<String> names = new ArrayList<>();
    for (String domain : domains) {
      if (!domain.isBlank()) {
        names.add(named("--domains", FirstSettings::ownDomain).read(domain.strip()));
      }
    }
    if (names.isEmpty()) {
      throw new BadValueException(
          "no domain is named",
          "name all domains that you take mail for, --domains example.com,example.org, or ask"
              + " Postfix on this machine: --domains-from-postfix");
    }
    return new FirstSettings(server, names);
  }

  /** The option is named before what is wrong with its value. */
  private static <T> Values.Reader<T> named(String option, Values.Reader<T> reader) {
    return text -> {
      try {
        return reader.read(text);
      } catch (BadValueException e) {
        throw new BadValueException(option + ": " + e.problem(), e.hint());
      }
    };
  }

  /** A domain may be written in any script here; settings have it as A-labels. */
  private static String ownDomain(String text) throws BadValueException {
    if (DomainFile.isFile(text)) {
      return DomainFile.element(Path.of("/")).read(text);
    }
    String dot = text.startsWith(".") ? "." : "";
    return Names.ownDomain(
        dot + Names.aLabels(text.substring(dot.length())).orElse(text.substring(dot.length())));
  }

  private static HostPort server(String text) throws BadValueException {
    HostPort server = hasPort(text) ? Values.hostPort(1).read(text) : withoutPort(text);
    if (Names.isWildcard(server.host())) {
      throw BadValueException.of(
          text, "is not an address of a server", "name the address it listens on");
    }
    if (Names.isLoopback(server.host()) && server.port() == SMTP_PORT) {
      throw BadValueException.of(
          text,
          "is where the gateway itself will listen",
          "let the mail server listen on another port, for example 10025, and name that");
    }
    return server;
  }

  private static boolean hasPort(String text) {
    return text.startsWith("[") ? text.contains("]:") : text.matches("[^:]*:[^:]*");
  }

  private static HostPort withoutPort(String text) throws BadValueException {
    return new HostPort(Names.host(text), SMTP_PORT);
  }

  /**
   * The whole file.
   *
   * @param dqsKeyFile will hold a key of Spamhaus, whose lists are asked by DNS then; {@code null}
   *     for none
   * @param mailsADay that the gateway will see; {@code null} when nobody said
   * @throws IllegalStateException when the sample no longer has a line that is to be filled in
   */
  public String text(Profile profile, @Nullable Path dqsKeyFile, @Nullable Integer mailsADay) {
    String text = SettingsFile.sample();
    if (mailsADay != null && mailsADay < SMALL_SITE_MAILS) {
      text = fill(text, "#content:", "content:");
      text = fill(text, "#  bulk: .*", BULK);
    }
    text = fill(text, "#mode: observe", "mode: observe");
    text = fill(text, "domains: \\[example\\.com\\]", "domains: " + SettingsText.list(domains));
    text =
        fill(text, "  host: 192\\.0\\.2\\.25", "  host: " + SettingsText.scalar(downstream.host()));
    text = fill(text, "#  port: 25(?: .*)?", "  port: " + downstream.port());
    text =
        fill(
            text,
            "#feeds:",
            "feeds:\n  # From the catalogue, %s. %s  sources:\n%s"
                .formatted(profile.head(), FEEDS_HEAD, profile.sources(dqsKeyFile)));
    String rules = profile.rules(dqsKeyFile != null);
    return rules.isEmpty() ? text : fill(text, BEHIND_RULES, rules + "\n" + BEHIND_RULES);
  }

  private static String fill(String text, String line, String replacement) {
    Matcher found = Pattern.compile("(?m)^" + line + "$").matcher(text);
    if (!found.find()) {
      throw new IllegalStateException("the sample settings have no line " + line);
    }
    return text.substring(0, found.start()) + replacement + text.substring(found.end());
  }
}
