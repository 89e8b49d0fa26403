/**
 * Backups: a tar.gz of settings and state with a manifest, written beside a running gateway and
 * read back into a stopped one. The command line uses it; no mail passes through here.
 */
@NullMarked
package io.bloomgate.blocklists.backup;

import org.jspecify.annotations.NullMarked;
