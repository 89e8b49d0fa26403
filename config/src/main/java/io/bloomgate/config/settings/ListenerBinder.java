package io.bloomgate.config.settings;

import io.bloomgate.config.name.IpPrefix;
import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.HostPort;
import io.bloomgate.config.notation.Names;
import io.bloomgate.config.notation.Shown;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.pem.PemFiles;
import io.bloomgate.config.settings.Settings.Listener;
import io.bloomgate.config.settings.Settings.Listener.ProxyProtocol;
import io.bloomgate.config.settings.Settings.Listener.StartTls;
import io.bloomgate.config.settings.yaml.Section;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The section {@code listeners}, and what its entries must agree on with the rest. Pure. */
final class ListenerBinder {

  private static final String DEFAULT_NAME = "mx";
  private static final int MAX_SESSIONS = 1_000_000;
  private static final Values.Reader<String> BANNER_NAME =
      Values.matching(
          "words",
          "[!-~](?:[ -~]{0,58}[!-~])?",
          "cannot be in a banner",
          "write at most 60 letters, digits and spaces of ASCII");

  private ListenerBinder() {}

  static Map<String, Listener> bind(Section root) {
    Map<String, Listener> listeners = new LinkedHashMap<>();
    Map<String, Section> sections = root.named("listeners", DEFAULT_NAME);
    sections.forEach((name, section) -> listeners.put(name, listener(section)));
    refuseSharedAddress(sections, listeners);
    return Collections.unmodifiableMap(listeners);
  }

  private static Listener listener(Section s) {
    HostPort address = s.value("address", "[::]:25", listenAddress());
    StartTls tls = s.value("tls", "none", Values.dashed(StartTls.class));
    ProxyProtocol proxy = s.value("proxy_protocol", "none", Values.dashed(ProxyProtocol.class));
    List<IpPrefix> trusted =
        s.list("trusted_proxies", List.of(), Values.noted("network", Names::network));
    s.problemIf(
        proxy != ProxyProtocol.NONE && trusted.isEmpty(),
        "proxy_protocol",
        "proxy_protocol without trusted_proxies",
        "name the proxies, or anyone can claim any client address");
    return new Listener(
        address,
        tls,
        proxy,
        trusted,
        s.list("xclient_from", List.of(), Values.noted("network", Names::network)),
        s.value("max_sessions", "10000", Values.integer(1, MAX_SESSIONS)),
        s.value("max_sessions_per_ip", "50", Values.integer(1, MAX_SESSIONS)),
        MailRates.rate(s, "connection_rate"),
        s.value("banner_delay", "0s", Values.duration("0s", "1m")),
        s.value("banner_name", "Bloomgate", BANNER_NAME));
  }

  /** An address to listen at: a literal, because a name may be several addresses. */
  private static Values.Reader<HostPort> listenAddress() {
    return Values.noted(
        "ADDRESS:PORT",
        text -> {
          HostPort address = Values.hostPort().read(text);
          if (!Names.isAddress(address.host()) && !address.host().equals("localhost")) {
            throw BadValueException.of(
                text,
                "does not begin with an address",
                "write for example \"[::]:25\" or 192.0.2.1:25");
          }
          return address;
        });
  }

  private static void refuseSharedAddress(
      Map<String, Section> sections, Map<String, Listener> listeners) {
    Map<HostPort, String> taken = new HashMap<>();
    listeners.forEach((name, listener) -> {
      Section section = sections.get(name);
      if (section == null || section.hasFailed("address") || listener.address().port() == 0) {
        return;
      }
      String first = taken.putIfAbsent(listener.address(), name);
      section.problemIf(
          first != null,
          "address",
          "listeners `" + first + "` and `" + name + "` have the same address",
          "give each its own address or port");
    });
  }

  /** Checks listeners against tls and downstream. */
  static void check(Section root, Settings settings) {
    boolean certificate = !settings.tls().certificates().isEmpty();
    settings
        .listeners()
        .forEach((name, listener) -> {
          Section section = root.section("listeners").section(name);
          checkTls(section, listener, certificate);
          checkLoop(root, name, listener, settings.downstream());
        });
  }

  private static void checkTls(Section section, Listener listener, boolean certificate) {
    section.warnIf(
        !certificate && listener.tls() != StartTls.NONE,
        "tls",
        "there is no certificate, a self-signed one will be shown",
        "set tls.certificate and tls.key; senders that check it by MTA-STS deliver nothing");
  }

  private static void checkLoop(
      Section root, String name, Listener listener, Settings.Downstream downstream) {
    String host = listener.address().host();
    boolean reaches =
        Names.sameHost(host, downstream.host())
            || (Names.isWildcard(host) && Names.isLoopback(downstream.host()));
    Section section = root.section("downstream");
    section.warnIf(
        reaches
            && listener.address().port() == downstream.port()
            && !section.hasFailed("port")
            && !root.section("listeners").section(name).hasFailed("address"),
        "host",
        "downstream is the listener `" + name + "` itself, mail would go round",
        "name the real mail server's host and port");
  }

  /** The files of each are looked at every second. */
  private static final int MAX_CERTIFICATES = 100;

  /** The section {@code tls}: one certificate with its key, or several. */
  static Settings.Tls tls(Section tls) {
    Path certificate = tls.orNull("certificate", tls.path());
    Path key = tls.orNull("key", tls.path());
    tls.problemIf(
        certificate != null && key == null,
        "certificate",
        "a certificate without its key",
        "set tls.key too");
    tls.problemIf(
        key != null && certificate == null,
        "key",
        "a key without its certificate",
        "set tls.certificate too");
    List<PemFiles> pairs = certificates(tls);
    tls.problemIf(
        !pairs.isEmpty() && (certificate != null || key != null),
        "certificates",
        "tls has `certificates`, and `certificate` or `key` beside it",
        "keep `certificates: [..]` with all of them, or `certificate` and `key`");
    if (pairs.isEmpty() && certificate != null && key != null) {
      pairs = List.of(new PemFiles("tls", certificate, key));
    }
    return new Settings.Tls(List.copyOf(pairs));
  }

  private static List<PemFiles> certificates(Section tls) {
    List<PemFiles> pairs = new ArrayList<>();
    Set<Path> seen = new HashSet<>();
    for (Section s : tls.sections("certificates", "{certificate: FILE, key: FILE}")) {
      Path none = tls.around().base();
      Path certificate = s.required("certificate", "certificate: FILE.pem", s.path(), none);
      Path key = s.required("key", "key: FILE.pem", s.path(), none);
      s.problemIf(
          !certificate.equals(none) && !seen.add(certificate),
          "certificate",
          Shown.quoted(certificate.toString()) + " is in certificates twice",
          "keep one");
      pairs.add(new PemFiles("tls.certificates[" + pairs.size() + "]", certificate, key));
    }
    tls.problemIf(
        pairs.size() > MAX_CERTIFICATES,
        "certificates",
        pairs.size() + " certificates",
        "at most " + MAX_CERTIFICATES + "; one certificate can have many names");
    return pairs;
  }
}
