package io.bloomgate.gateway.doctor;

import io.bloomgate.config.settings.Location;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import io.bloomgate.gateway.doctor.DoctorFinding.At;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks this machine's clock: expiry of entries, certificates and the age of feeds depend on it.
 * Compared with the Date field (RFC 9110 section 6.6.1) of the first server of feeds that answers a
 * HEAD request. Used by {@link Doctor}.
 */
record ClockCheck(ExaminedGateway gateway) {

  private static final Pattern SERVER = Pattern.compile("^[A-Za-z]+://[^/?#]*");
  private static final int TIMEOUT_MILLIS = 3_000;

  private static final Duration TOO_MUCH = Duration.ofSeconds(30);
  private static final Duration HARMFUL = Duration.ofMinutes(5);

  List<DoctorFinding> all() {
    List<URI> servers =
        gateway.settings().feeds().sources().values().stream()
            .map(Source::location)
            .flatMap(location -> server(location).stream())
            .distinct()
            .toList();
    return List.of(
        servers.stream()
            .flatMap(server -> ahead(server).map(ahead -> judge(ahead, server.getHost())).stream())
            .findFirst()
            .orElseGet(() ->
                servers.isEmpty()
                    ? at("this machine").ok("clock not checked: no feed has a web server to ask")
                    : notChecked("no feed server answered")));
  }

  /** The finding when no server answered in time. */
  DoctorFinding unfinished() {
    return notChecked(Doctor.NOT_ENDED);
  }

  private static DoctorFinding notChecked(String why) {
    return at("this machine")
        .warn("clock not checked: " + why, "see that NTP runs, for example with `timedatectl`");
  }

  /**
   * The front page of the feed's server: paths of feeds may contain keys, and no feed is fetched.
   */
  private static Optional<URI> server(Location location) {
    if (!(location instanceof Location.Url url)) {
      return Optional.empty();
    }
    Matcher server = SERVER.matcher(url.url().text());
    return server.find() ? Optional.of(URI.create(server.group() + "/")) : Optional.empty();
  }

  private Optional<Duration> ahead(URI uri) {
    try {
      if (!(uri.toURL().openConnection() instanceof HttpURLConnection connection)) {
        return Optional.empty();
      }
      connection.setRequestMethod("HEAD");
      connection.setInstanceFollowRedirects(false);
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      long date = connection.getHeaderFieldDate("Date", 0);
      connection.disconnect();
      return date == 0
          ? Optional.empty()
          : Optional.of(Duration.between(Instant.ofEpochMilli(date), gateway.clock().instant()));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static DoctorFinding judge(Duration ahead, String host) {
    Duration off = ahead.abs();
    String what =
        "the clock is " + off.toSeconds() + " s " + (ahead.isNegative() ? "behind" : "ahead");
    if (off.compareTo(TOO_MUCH) <= 0) {
      return at(host).ok("the clock agrees with that server's");
    }
    return off.compareTo(HARMFUL) > 0
        ? at(host).fail(what, "set it, and let NTP keep it")
        : at(host).warn(what, "let NTP keep it");
  }

  private static At at(String where) {
    return Doctor.Check.CLOCK.at(where);
  }
}
