package io.bloomgate.config.settings;

import io.bloomgate.config.settings.Settings.Listener;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The whole file to {@link Settings}: asks the sections in the order of the sample file and checks
 * what holds between them. Called by {@link SettingsFile}; one reading.
 */
final class SettingsBinder {

  private final Path base;
  private final Supplier<String> hostname;
  private final Supplier<Publishers> publishers;

  /**
   * A binder.
   *
   * @param base folder that relative paths count from
   * @param hostname the machine's name, asked only for {@code hostname: auto}
   * @param publishers who serves feeds, asked only when there are some
   */
  SettingsBinder(Path base, Supplier<String> hostname, Supplier<Publishers> publishers) {
    this.base = base;
    this.hostname = hostname;
    this.publishers = publishers;
  }

  Settings bind(Section root) {
    Mode mode = root.value("mode", "observe", Words.dashed(Mode.class));
    String name = hostname(root);
    List<String> domains = domains(root);
    Path stateDir = root.value("state_dir", "/var/lib/bloomgate", Values.path(base));
    Map<String, Listener> listeners = ListenerBinder.bind(root);
    Settings.Downstream downstream = DownstreamBinder.bind(root.section("downstream"));
    Settings.Tls tls = tls(root.section("tls"));
    Settings.Limits limits = LimitsBinder.bind(root.section("limits"));
    Settings.Policy policy = PolicyBinder.bind(root.section("policy"));
    Settings.Feeds feeds = new FeedsBinder(base, publishers).bind(root.section("feeds"));
    ListsBinder lists = new ListsBinder(base);
    Settings settings =
        new Settings(
            mode,
            name,
            domains,
            stateDir,
            listeners,
            downstream,
            tls,
            limits,
            policy,
            feeds,
            lists.allow(root.section("allow")),
            lists.block(root.section("block")),
            ListsBinder.filter(root.section("filter")),
            LogBinder.bind(root.section("log"), base),
            AdminBinder.bind(root.section("admin"), base, stateDir));
    ListenerBinder.check(root, settings);
    DownstreamBinder.check(root, settings);
    return settings;
  }

  private String hostname(Section root) {
    String said =
        root.value("hostname", "auto", text -> text.equals("auto") ? text : Names.domain(text));
    if (!said.equals("auto")) {
      return said;
    }
    String found = hostname.get();
    try {
      String name = Names.domain(found);
      if (name.indexOf('.') < 0) {
        root.warn(
            "hostname",
            "this machine calls itself " + Shown.quoted(name) + ", without a domain",
            "set hostname to the full name, other servers may refuse a short one");
      }
      return name;
    } catch (BadValueException e) {
      root.problem(
          "hostname",
          "this machine's own name " + Shown.quoted(found) + " cannot be used",
          "set hostname to the full name");
      return "localhost";
    }
  }

  private static List<String> domains(Section root) {
    List<String> domains = root.requiredList("domains", "domains: [example.com]", Names::ownDomain);
    Set<String> seen = new HashSet<>();
    domains.stream()
        .filter(d -> !seen.add(d))
        .forEach(d -> root.warn("domains", "`" + d + "` stands twice in domains", "keep one"));
    return domains.stream().distinct().toList();
  }

  private Settings.Tls tls(Section tls) {
    Path none = Path.of("");
    ValueReader<Path> reader = text -> text.isEmpty() ? none : Values.path(base).read(text);
    Path certificate = tls.value("certificate", "", reader);
    Path key = tls.value("key", "", reader);
    boolean hasCertificate = !certificate.equals(none);
    boolean hasKey = !key.equals(none);
    if (hasCertificate && !hasKey) {
      tls.problem("certificate", "a certificate without its key", "set tls.key too");
    }
    if (hasKey && !hasCertificate) {
      tls.problem("key", "a key without its certificate", "set tls.certificate too");
    }
    return new Settings.Tls(hasCertificate ? certificate : null, hasKey ? key : null);
  }
}
