package io.bloomgate.gateway.doctor;

import io.bloomgate.config.json.JsonValue.JsonObject;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.relay.Upstreams;
import io.bloomgate.gateway.tls.ServerCertificate;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * All that the doctor may look at, made by the composition root for each visit. Immutable.
 *
 * @param upstreams the mail servers, over the same path that mail takes
 * @param certificate {@code null} when no listener offers TLS
 * @param feeds as {@code feeds list} has them
 * @param threads for checks that wait for others
 * @param ports of the listeners by name, which the system chose where the settings say 0
 */
public record Patient(
    Settings settings,
    boolean ready,
    boolean draining,
    Mode mode,
    List<Upstreams.Server> upstreams,
    ServerCertificate.@Nullable Shown certificate,
    List<JsonObject> feeds,
    Map<String, Integer> ports,
    InstantSource clock,
    ThreadFactory threads) {

  public Patient {
    upstreams = List.copyOf(upstreams);
    feeds = List.copyOf(feeds);
    ports = Map.copyOf(ports);
  }

  /** A domain that exists and is not ours, so that a refusal can only mean that it is foreign. */
  String foreignDomain() {
    boolean taken = settings.domains().stream().anyMatch(domain -> domain.endsWith("example.net"));
    return taken ? "example.org" : "example.net";
  }
}
