package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.config.name.IpAddress;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.OwnDomains;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.RecordPaces;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.log.WarningPace;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.ClientNames;
import io.bloomgate.gateway.relay.Upstream;
import io.bloomgate.gateway.wire.tls.CertificateChoice;
import java.time.InstantSource;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects that the sessions of one listener work with, fixed when a session begins: the
 * composition root makes new services at each reload, and only sessions that begin later see them.
 * Each class of a session gets those that it uses. Immutable; shared by sessions, thread-safe.
 *
 * @param settings the whole tree; sessions read hostname, limits, policy and feeds' info URLs
 * @param listener the settings of the listener that accepted the session
 * @param domains the relay check
 * @param tls asked at each handshake, so that a renewed certificate counts from the next one on;
 *     {@code null} when no certificate is set, and STARTTLS is not offered then
 * @param policy asked at each decision, so that it follows the feeds that are live
 * @param mode the effective mode, asked at each verdict
 * @param putsMailOff true while no list is loaded and mail waits for that
 * @param lists the current snapshot and operator view; a transaction keeps the snapshot of its MAIL
 *     and takes the rest at each decision
 * @param dnsLists lists that are asked by DNS; they follow reloads by themselves
 * @param names looks up the names of clients' addresses, for signs and lists of such names
 * @param mailLimits how much mail came lately
 * @param greylist who has to come again
 * @param upstream where mail goes
 * @param answers of mail servers to single recipients
 * @param incidents those of some ids that belong to refusals, asked about ids that mail of a client
 *     to exempt recipients quotes; waits for a bounded time only, and a store that fails knows no
 *     id
 * @param reporting where is reported what happened; a session of the doctor reports elsewhere
 * @param reading what sessions share to read the content of mails
 * @param clock for times that are shown or kept
 * @param nanoTime monotonic time for deadlines, in nanoseconds
 */
public record SessionServices(
    Settings settings,
    Settings.Listener listener,
    OwnDomains domains,
    @Nullable Supplier<CertificateChoice> tls,
    Supplier<Policy> policy,
    Supplier<Mode> mode,
    BooleanSupplier putsMailOff,
    Supplier<Lists> lists,
    DnsLists dnsLists,
    ClientNames names,
    MailLimits mailLimits,
    Greylisting greylist,
    Upstream upstream,
    AnswerMemory answers,
    BiFunction<IpAddress, List<String>, List<String>> incidents,
    Reporting reporting,
    ContentReading reading,
    InstantSource clock,
    LongSupplier nanoTime) {

  /** True when a session of this listener begins with a handshake, RFC 8314 section 3. */
  boolean implicitTls() {
    return listener.tls() == Settings.Listener.StartTls.IMPLICIT;
  }

  /** True when this listener may offer STARTTLS. */
  boolean startTlsOffered() {
    return tls != null && listener.tls() != Settings.Listener.StartTls.NONE;
  }

  /** True when this peer must send a PROXY header. */
  boolean expectsProxyHeader(IpAddress peer) {
    return listener.proxyProtocol() != Settings.Listener.ProxyProtocol.NONE
        && listener.trustedProxies().stream().anyMatch(proxies -> proxies.contains(peer));
  }

  /** True when this peer may send XCLIENT. */
  boolean allowsXclient(IpAddress peer) {
    return listener.xclientFrom().stream().anyMatch(peers -> peers.contains(peer));
  }

  /**
   * The services to which a session reports what happened; the paces of lines hold for all sessions
   * of the listener.
   *
   * @param paces of log records, by client network
   * @param ids makes incident ids: 10 characters of Crockford base32, random
   * @param unnamedPeers of peers that should name their client and do not
   * @param failedServers of messages that the mail server failed
   * @param messages about single messages, which any client can cause
   * @param contents about content that was not looked at, which is usual in odd mail
   */
  public record Reporting(
      Telemetry telemetry,
      RecordPaces paces,
      Supplier<String> ids,
      WarningPace unnamedPeers,
      WarningPace failedServers,
      WarningPace messages,
      WarningPace contents) {

    /** Log lines a minute; where a proxy is expected, any client may still reach the port. */
    private static final int PROXY_HEADER_LINES = 5;

    /** Log lines a minute; a mail server in trouble may fail each message. */
    static final int UPSTREAM_LINES = 5;

    /** Log lines a minute; every message may have such fields. */
    private static final int MESSAGE_LINES = 20;

    /** Makes it with paces that begin now. */
    public static Reporting of(
        Telemetry telemetry, RecordPaces paces, Supplier<String> ids, LongSupplier nanoTime) {
      return new Reporting(
          telemetry,
          paces,
          ids,
          new WarningPace(nanoTime, PROXY_HEADER_LINES),
          new WarningPace(nanoTime, UPSTREAM_LINES),
          new WarningPace(nanoTime, MESSAGE_LINES),
          new WarningPace(nanoTime, MESSAGE_LINES));
    }

    /** The same to another receiver, for sessions that are counted apart. */
    Reporting to(Telemetry other, LongSupplier nanoTime) {
      return of(other, paces.another(), ids, nanoTime);
    }
  }
}
