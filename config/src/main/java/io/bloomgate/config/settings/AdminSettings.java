package io.bloomgate.config.settings;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The control socket, the HTTP endpoint and the page for refused senders; null is off. A section of
 * {@link Settings}, read on any thread.
 *
 * @param socketMode POSIX permission bits, 0660 octal by default; with groups 0666, because who is
 *     in them is asked when a user has connected
 * @param readGroup the group whose members may ask; {@code null} for none
 * @param supportGroup the group whose members may also let senders pass for some days
 * @param hosts names under which a browser may ask for the page
 */
public record AdminSettings(
    Path socket,
    int socketMode,
    @Nullable String readGroup,
    @Nullable String supportGroup,
    @Nullable HostPort http,
    @Nullable Path tokenFile,
    @Nullable Path writeTokensFile,
    List<String> hosts,
    @Nullable HostPort why) {}
