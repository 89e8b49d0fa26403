package io.bloomgate.gateway.session;

import io.bloomgate.blocklists.decision.Lists;
import io.bloomgate.blocklists.decision.Policy;
import io.bloomgate.config.settings.Mode;
import io.bloomgate.config.settings.OwnDomains;
import io.bloomgate.config.settings.Settings;
import io.bloomgate.gateway.log.RecordPaces;
import io.bloomgate.gateway.log.Telemetry;
import io.bloomgate.gateway.relay.AnswerMemory;
import io.bloomgate.gateway.relay.ClientNames;
import io.bloomgate.gateway.relay.Upstream;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What one session works with, fixed when it begins: the composition root makes a new one at each
 * reload, and only sessions that begin later see it. Immutable; shared by sessions.
 *
 * @param settings the whole tree; sessions read hostname, limits, policy and feeds' info URLs
 * @param listener the settings of the listener that accepted the session
 * @param domains the relay check
 * @param policy asked at each decision, so that it follows the feeds that are live
 * @param mode the effective mode, asked at each verdict
 * @param putsMailOff true while no list is loaded and mail waits for that
 * @param lists the current snapshot and operator view; a transaction keeps the snapshot of its MAIL
 *     and takes the rest at each decision
 * @param dnsLists lists that are asked by DNS; they follow reloads by themselves
 * @param names looks up the names of clients' addresses, for signs and lists of such names
 * @param greylist who has to come again
 * @param mailLimits how much mail came lately
 * @param answers of mail servers to single recipients
 * @param incidents asked about ids that mail to exempt recipients quotes
 * @param paces of log records, by client network
 * @param nanoTime monotonic time for deadlines, in nanoseconds
 * @param ids makes incident ids: 10 characters of Crockford base32, random
 * @param reading what sessions share to read the content of mails
 * @param tls asked at each handshake, so that a renewed certificate counts from the next one on;
 *     {@code null} when no certificate is set, and STARTTLS is not offered then
 */
public record SessionEnvironment(
    Settings settings,
    Settings.Listener listener,
    OwnDomains domains,
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
    KnownIncidents incidents,
    Telemetry telemetry,
    RecordPaces paces,
    InstantSource clock,
    LongSupplier nanoTime,
    Supplier<String> ids,
    ContentReading reading,
    @Nullable Supplier<SSLContext> tls) {

  /** The same with another listener to what happens. */
  SessionEnvironment reportingTo(Telemetry other) {
    return new SessionEnvironment(
        settings,
        listener,
        domains,
        policy,
        mode,
        putsMailOff,
        lists,
        dnsLists,
        names,
        mailLimits,
        greylist,
        upstream,
        answers,
        incidents,
        other,
        paces.another(),
        clock,
        nanoTime,
        ids,
        reading,
        tls);
  }

  /** True when a session of this listener begins with a handshake, RFC 8314 section 3. */
  boolean implicitTls() {
    return listener.tls() == Settings.Listener.StartTls.IMPLICIT;
  }

  /** True when this listener may offer STARTTLS. */
  boolean startTlsOffered() {
    return tls != null && listener.tls() != Settings.Listener.StartTls.NONE;
  }
}
