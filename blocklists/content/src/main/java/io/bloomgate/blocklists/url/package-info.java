/**
 * URLs in mails and on lists: where they begin and end in a text or an attribute, what a redirector
 * hides behind its own name, and which hosts are shared by strangers.
 *
 * <p>{@link io.bloomgate.blocklists.url.TextUrls} reads text; {@link
 * io.bloomgate.blocklists.url.Redirectors} and {@link io.bloomgate.blocklists.url.SharedHosts} are
 * asked about single URLs. Nothing here asks the network. Canonical forms are made by {@link
 * io.bloomgate.config.name.WebUrl} alone.
 */
@NullMarked
package io.bloomgate.blocklists.url;

import org.jspecify.annotations.NullMarked;
