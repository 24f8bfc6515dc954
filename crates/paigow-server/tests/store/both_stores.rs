//! Runs tests against both stores: SQLite in a file, PostgreSQL in a new database.

use crate::kit::cluster::Cluster;
use paigow_server::AnyStore;

/// Opens the database by its address, which tests `AnyStore` as well.
pub(crate) async fn on_postgres<F: Future<Output = ()>>(cluster: &Cluster, test: impl FnOnce(AnyStore) -> F) {
    test(AnyStore::open(&cluster.database().await).await.unwrap()).await;
}

/// Declares the tests of a suite for each store. The tests after the semicolon need the PostgreSQL cluster itself.
macro_rules! on_both_stores {
    ($($test:ident),* $(; $($of_cluster:ident),*)?) => {
        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $test() {
                    let folder = crate::kit::TempStore::new();
                    super::$test(folder.store.clone()).await;
                }
            )*
        }

        #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
        async fn postgres() {
            let cluster = crate::kit::cluster::Cluster::start();
            $(
                println!("{}", stringify!($test));
                crate::both_stores::on_postgres(&cluster, $test).await;
            )*
            $($($of_cluster(&cluster).await;)*)?
        }
    };
}

pub(crate) use on_both_stores;
